package maps

import "github.com/hexarena/hexarena/engine/hexgrid"

// graph is a board as a graph of neighbouring cells. Cells are identified by their index in
// the list from which the graph was made.
type graph struct {
	cells []hexgrid.Coord
	index map[hexgrid.Coord]int32
	near  [][hexgrid.NumDirs]int32 // none if there is no neighbour
}

// none stands for no cell, for no owner, and for the distance of unreachable cells.
const none = -1

func newGraph(cells []hexgrid.Coord) *graph {
	g := &graph{
		cells: cells,
		index: make(map[hexgrid.Coord]int32, len(cells)),
		near:  make([][hexgrid.NumDirs]int32, len(cells)),
	}
	for i, c := range cells {
		g.index[c] = int32(i)
	}
	for i, c := range cells {
		for _, d := range hexgrid.Dirs {
			g.near[i][d] = g.at(c.Step(d))
		}
	}
	return g
}

// at returns the index of the cell at c, or none.
func (g *graph) at(c hexgrid.Coord) int32 {
	if i, ok := g.index[c]; ok {
		return i
	}
	return none
}

// indices returns the indices of the cells at the given positions.
func (g *graph) indices(at []hexgrid.Coord) []int32 {
	list := make([]int32, len(at))
	for i, c := range at {
		list[i] = g.at(c)
	}
	return list
}

// degree returns the number of neighbours of a cell.
func (g *graph) degree(i int32) (n int) {
	for _, j := range g.near[i] {
		if j != none {
			n++
		}
	}
	return n
}

// walk is a breadth-first search that reuses its memory.
type walk struct {
	*graph
	dist  []int32 // steps from the nearest source; none if unreachable
	queue []int32 // the cells reached, nearest first
}

func newWalk(g *graph) *walk {
	return &walk{graph: g, dist: make([]int32, len(g.cells)), queue: make([]int32, 0, len(g.cells))}
}

// from computes the number of steps from the sources to every cell.
func (w *walk) from(sources ...int32) {
	for i := range w.dist {
		w.dist[i] = none
	}
	w.queue = w.queue[:0]
	w.extend(sources...)
}

// extend adds sources to the current ones.
func (w *walk) extend(sources ...int32) {
	head := len(w.queue)
	for _, s := range sources {
		w.reach(s, 0)
	}
	for ; head < len(w.queue); head++ {
		i := w.queue[head]
		for _, j := range w.near[i] {
			if j != none {
				w.reach(j, w.dist[i]+1)
			}
		}
	}
}

func (w *walk) reach(i, dist int32) {
	if old := w.dist[i]; old == none || dist < old {
		w.dist[i] = dist
		w.queue = append(w.queue, i)
	}
}

// parts returns the sizes of the connected parts of the board, in the order of their first
// cells.
func (g *graph) parts() (sizes []int) {
	w := newWalk(g)
	w.from()
	for i := range g.cells {
		if w.dist[i] == none {
			before := len(w.queue)
			w.extend(int32(i))
			sizes = append(sizes, len(w.queue)-before)
		}
	}
	return sizes
}
