package maps

import "github.com/hexarena/hexarena/engine/hexgrid"

// Graph is a board as a graph of neighbouring cells. Cells are identified by their index in
// the list from which the graph was made.
type Graph struct {
	cells []hexgrid.Coord
	index map[hexgrid.Coord]int32
	Near  [][hexgrid.NumDirs]int32 // the neighbours of each cell by direction; -1 without one
}

// none stands for no cell, for no owner, and for the distance of unreachable cells.
const none = -1

// NewGraph returns the graph of a board.
func NewGraph(cells []hexgrid.Coord) *Graph {
	g := &Graph{
		cells: cells,
		index: make(map[hexgrid.Coord]int32, len(cells)),
		Near:  make([][hexgrid.NumDirs]int32, len(cells)),
	}
	for i, c := range cells {
		g.index[c] = int32(i)
	}
	for i, c := range cells {
		for _, d := range hexgrid.Dirs {
			g.Near[i][d] = g.At(c.Step(d))
		}
	}
	return g
}

// At returns the index of the cell at c, or -1.
func (g *Graph) At(c hexgrid.Coord) int32 {
	if i, ok := g.index[c]; ok {
		return i
	}
	return none
}

// indices returns the indices of the cells at the given positions.
func (g *Graph) indices(at []hexgrid.Coord) []int32 {
	list := make([]int32, len(at))
	for i, c := range at {
		list[i] = g.At(c)
	}
	return list
}

// degree returns the number of neighbours of a cell.
func (g *Graph) degree(i int32) (n int) {
	for _, j := range g.Near[i] {
		if j != none {
			n++
		}
	}
	return n
}

// walk is a breadth-first search that reuses its memory.
type walk struct {
	*Graph
	dist  []int32 // steps from the nearest source; none if unreachable
	queue []int32 // the cells reached, nearest first
}

func newWalk(g *Graph) *walk {
	return &walk{Graph: g, dist: make([]int32, len(g.cells)), queue: make([]int32, 0, len(g.cells))}
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
		for _, j := range w.Near[i] {
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
func (g *Graph) parts() (sizes []int) {
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
