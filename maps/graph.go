package maps

import "github.com/hexarena/hexarena/engine/hexgrid"

// graph is a board as cells that know their neighbours. Cells are named by
// their index in the list that it was made from.
type graph struct {
	cells []hexgrid.Coord
	index map[hexgrid.Coord]int32
	near  [][hexgrid.NumDirs]int32 // none where there is no cell
}

// none is the index of no cell, the owner of no cell, and the distance of cells
// out of reach.
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

// at is the index of the cell at c, or none.
func (g *graph) at(c hexgrid.Coord) int32 {
	if i, ok := g.index[c]; ok {
		return i
	}
	return none
}

// indices are those of the cells at some places.
func (g *graph) indices(at []hexgrid.Coord) []int32 {
	list := make([]int32, len(at))
	for i, c := range at {
		list[i] = g.at(c)
	}
	return list
}

// degree is how many neighbours a cell has.
func (g *graph) degree(i int32) (n int) {
	for _, j := range g.near[i] {
		if j != none {
			n++
		}
	}
	return n
}

// walk is a breadth-first search, kept to be run again without new memory.
type walk struct {
	*graph
	dist  []int32 // steps from the nearest source; none where there is no way
	queue []int32 // the cells reached, nearest first
}

func newWalk(g *graph) *walk {
	return &walk{graph: g, dist: make([]int32, len(g.cells)), queue: make([]int32, 0, len(g.cells))}
}

// from measures the steps from the sources to every cell.
func (w *walk) from(sources ...int32) {
	for i := range w.dist {
		w.dist[i] = none
	}
	w.queue = w.queue[:0]
	w.extend(sources...)
}

// extend adds sources to those already measured from.
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

// parts are the sizes of the parts of the board that no way connects, in the
// order of their first cells.
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
