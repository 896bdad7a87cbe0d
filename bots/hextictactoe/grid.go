package hextictactoe

import (
	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// cell numbers the cells that were looked at.
type cell int32

// unknown is a neighbour that nobody asked for yet.
const unknown cell = -1

// grid is a board as the search sees it. It counts, for every window of as many
// cells in a row as win, the pieces of both sides; pieces can be placed and taken
// back. The windows that one side can still fill are kept in lists by how many
// pieces they have, so that threats are found without looking for them.
type grid struct {
	win, view int
	index     map[rules.Coord]cell
	cells     []gridCell
	windows   []window     // three for each cell, which is their first: one on each axis
	open      [2][][]int32 // by side and number of pieces: windows without the other side's
	score     [2]float64   // sum of the weights of a side's open windows
	placed    []rules.Coord
	weight    []float64 // by number of pieces
}

type gridCell struct {
	at    rules.Coord
	side  rules.Side
	steps [hexgrid.NumDirs]cell
}

type window struct {
	count [2]uint8
	place int32 // in its list
}

// axes are the directions of windows, from their first cell on.
var axes = [...]hexgrid.Dir{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}

func newGrid(q *Question) *grid {
	g := &grid{win: q.Win, view: q.View, index: map[rules.Coord]cell{}, weight: weights(q.Win)}
	for s := range g.open {
		g.open[s] = make([][]int32, q.Win+1)
	}
	for _, p := range q.Board.Pieces() {
		g.place(g.cellAt(p.Coord), p.Side)
	}
	return g
}

// fullScore is a score that leaves hardly a doubt who is better.
const fullScore = 120

// weights are what a window is worth by its number of pieces: four times as much
// with each of the last, until one move can fill it.
func weights(win int) []float64 {
	w := make([]float64, win+1)
	for n := 1; n <= win; n++ {
		w[n] = float64(int(1) << (2 * min(max(n-(win-5), 0), 3)))
	}
	return w
}

// cellAt is the cell at c, which need not have been looked at before.
func (g *grid) cellAt(c rules.Coord) cell {
	if id, ok := g.index[c]; ok {
		return id
	}
	id := cell(len(g.cells))
	g.index[c] = id
	g.cells = append(g.cells, gridCell{
		at: c, steps: [hexgrid.NumDirs]cell{unknown, unknown, unknown, unknown, unknown, unknown},
	})
	g.windows = append(g.windows, make([]window, len(axes))...)
	return id
}

func (g *grid) step(c cell, d hexgrid.Dir) cell {
	next := g.cells[c].steps[d]
	if next == unknown {
		next = g.cellAt(g.cells[c].at.Step(d))
		g.cells[c].steps[d] = next
		g.cells[next].steps[d.Opposite()] = c
	}
	return next
}

// place puts a piece on an empty cell.
func (g *grid) place(c cell, s rules.Side) {
	g.cells[c].side = s
	g.placed = append(g.placed, g.cells[c].at)
	own := s - rules.X
	for axis, d := range axes {
		start := c
		for k := range g.win {
			if k > 0 {
				start = g.step(start, d.Opposite())
			}
			w := int32(start)*int32(len(axes)) + int32(axis)
			g.unlist(w)
			g.windows[w].count[own]++
			g.list(w)
		}
	}
}

// take takes the piece that was placed last off the board.
func (g *grid) take(c cell) {
	own := g.cells[c].side - rules.X
	for axis, d := range axes {
		start := c
		for k := range g.win {
			if k > 0 {
				start = g.cells[start].steps[d.Opposite()]
			}
			w := int32(start)*int32(len(axes)) + int32(axis)
			g.unlist(w)
			g.windows[w].count[own]--
			g.list(w)
		}
	}
	g.cells[c].side = rules.None
	g.placed = g.placed[:len(g.placed)-1]
}

// holder is the list that a window belongs into: a side's, and its number of
// pieces. There is none for a window that is empty, or that both sides are in.
func (w *window) holder() (side int, n uint8, ok bool) {
	switch {
	case w.count[0] > 0 && w.count[1] == 0:
		return 0, w.count[0], true
	case w.count[1] > 0 && w.count[0] == 0:
		return 1, w.count[1], true
	}
	return 0, 0, false
}

func (g *grid) list(w int32) {
	if side, n, ok := g.windows[w].holder(); ok {
		l := &g.open[side][n]
		g.windows[w].place = int32(len(*l))
		*l = append(*l, w)
		g.score[side] += g.weight[n]
	}
}

func (g *grid) unlist(w int32) {
	if side, n, ok := g.windows[w].holder(); ok {
		l := g.open[side][n]
		last := len(l) - 1
		at := g.windows[w].place
		l[at] = l[last]
		g.windows[l[at]].place = at
		g.open[side][n] = l[:last]
		g.score[side] -= g.weight[n]
	}
}

// appendEmpty appends the empty cells of a window.
func (g *grid) appendEmpty(dst []cell, w int32) []cell {
	axis := axes[w%int32(len(axes))]
	c := cell(w / int32(len(axes)))
	for k := range g.win {
		if k > 0 {
			c = g.step(c, axis)
		}
		if g.cells[c].side == rules.None {
			dst = append(dst, c)
		}
	}
	return dst
}

// holds reports whether c is in the window.
func (g *grid) holds(w int32, c cell) bool {
	first := &g.cells[w/int32(len(axes))]
	d := g.cells[c].at.Sub(first.at)
	switch axes[w%int32(len(axes))] {
	case hexgrid.XPlus:
		return d.R == 0 && d.Q >= 0 && d.Q < g.win
	case hexgrid.ZMinus:
		return d.Q == 0 && d.R >= 0 && d.R < g.win
	}
	return d.Q == -d.R && d.Q >= 0 && d.Q < g.win
}

// legal reports whether a piece may be placed now on c, an empty cell of a window
// with a piece in it.
func (g *grid) legal(c cell) bool {
	at := g.cells[c].at
	if !rules.OnBoard(at) {
		return false
	}
	if g.view >= g.win-1 {
		return true
	}
	for i := len(g.placed) - 1; i >= 0; i-- {
		if hexgrid.Distance(g.placed[i], at) <= g.view {
			return true
		}
	}
	return false
}

// gain is how much better a piece on c makes the score of s against the other
// side's.
func (g *grid) gain(c cell, s rules.Side) (sum float64) {
	own := s - rules.X
	for axis, d := range axes {
		start := c
		for k := range g.win {
			if k > 0 {
				start = g.step(start, d.Opposite())
			}
			w := &g.windows[int32(start)*int32(len(axes))+int32(axis)]
			mine, theirs := w.count[own], w.count[1-own]
			switch {
			case theirs == 0:
				sum += g.weight[mine+1] - g.weight[mine]
			case mine == 0:
				sum += g.weight[theirs]
			}
		}
	}
	return sum
}
