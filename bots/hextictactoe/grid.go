package hextictactoe

import (
	"math/bits"

	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// cell is the index of a cell that has been looked at.
type cell int32

// grid is the board of the search. For every window, as many cells in a row as win, it
// counts the pieces of both sides. It also maintains what follows from the counts: each
// side's score, how much a piece on a cell would add to it, and lists of the windows that
// are nearly full. Pieces are removed in the reverse order of their placement.
type grid struct {
	win, view int
	seed      uint64 // for the cells' keys
	index     map[rules.Coord]cell
	cells     []gridCell
	// by cell and side: how much a piece there adds to the difference of the scores
	gains   [][2]int32
	windows []window  // three for each cell as their first cell, one on each axis
	members [][]cell  // of each window; nil until a piece is placed in it
	through [][]int32 // the windows that hold a cell; nil until a piece is placed there
	// windows without pieces of the other side, by side and number of pieces, from listed on
	open   [2][][]int32
	listed uint8
	score  [2]int32 // sum of the weights of a side's open windows
	worth  []worth  // by the counts of a window
	active []cell   // cells in a window with a piece
	placed []stone
	hash   uint64 // hash of the pieces
	// the learned evaluation, or nil
	learned *estimate
}

type gridCell struct {
	at     rules.Coord
	side   rules.Side
	active bool
	keys   [2]uint64 // hash keys of a piece of x and of o
}

// stone is a placed piece, with the number of active cells before it.
type stone struct {
	cell
	active int
}

type window struct {
	count   [2]uint8
	pattern uint16 // of the pieces that the learned evaluation includes
	place   int32  // index in its list
}

// worth is the value of a window, by its pieces.
type worth struct {
	score [2]int32
	gain  [2]int32 // for each of its empty cells
}

// axes holds the directions of windows from their first cell.
var axes = [...]hexgrid.Dir{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}

// newGrid returns the grid of a question's board.
func newGrid(q *Question) *grid {
	g := &grid{
		win: q.Win, view: q.View, seed: q.Seed, index: map[rules.Coord]cell{}, worth: worths(q.Win),
		listed: uint8(max(1, q.Win-mostLacking)),
	}
	for s := range g.open {
		g.open[s] = make([][]int32, q.Win+1)
	}
	for _, p := range q.Board.Pieces() {
		g.place(g.cellAt(p.Coord), p.Side)
	}
	return g
}

// mostLacking is the largest number of pieces that a listed window lacks: two moves fill it.
const mostLacking = 4

// worths returns the worth of windows, indexed by count[0]*(win+1) + count[1].
func worths(win int) []worth {
	weight := weights(win)
	list := make([]worth, (win+1)*(win+1))
	for a := range win + 1 {
		for b := range win + 1 - a {
			w := &list[a*(win+1)+b]
			if b == 0 {
				w.score[0], w.gain[1] = weight[a], weight[a]
				w.gain[0] = weight[min(a+1, win)] - weight[a]
			}
			if a == 0 {
				w.score[1], w.gain[0] = weight[b], w.gain[0]+weight[b]
				w.gain[1] += weight[min(b+1, win)] - weight[b]
			}
		}
	}
	return list
}

// fullScore is the score at which there is hardly any doubt about the winner.
const fullScore = 300

// weights returns the value of a window by its number of pieces. From a window that lacks
// four pieces on, it is the value of a tempo: one move completes a window that lacks two,
// so a further piece adds nothing. These weights won the most games of those that were
// tried.
func weights(win int) []int32 {
	tempo := [...]int32{1, 6, 24, 64}
	w := make([]int32, win+1)
	for n := 1; n <= win; n++ {
		w[n] = tempo[min(max(n-(win-5), 0), len(tempo)-1)]
	}
	return w
}

// cellAt returns the cell at c, which need not have been looked at before.
func (g *grid) cellAt(c rules.Coord) cell {
	if id, ok := g.index[c]; ok {
		return id
	}
	id := cell(len(g.cells))
	g.index[c] = id
	key := mix(mix(g.seed^uint64(uint32(c.Q))) ^ uint64(uint32(c.R)))
	g.cells = append(g.cells, gridCell{at: c, keys: [2]uint64{key, mix(key)}})
	alone := int32(g.win*len(axes)) * g.worth[0].gain[0] // all its windows are empty
	g.gains = append(g.gains, [2]int32{alone, alone})
	g.through = append(g.through, nil)
	for _, d := range axes {
		var w window
		end := c.Add(rules.Coord{}.Step(d).Scale(g.win - 1))
		if !rules.OnBoard(c) || !rules.OnBoard(end) {
			w.count = [2]uint8{1, 1} // like a window with pieces of both sides, it can win for neither
		}
		g.windows = append(g.windows, w)
		g.members = append(g.members, nil)
	}
	return id
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014): it spreads each bit of x
// over all bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// windowsOf returns the windows that hold c.
func (g *grid) windowsOf(c cell) []int32 {
	if g.through[c] == nil {
		list := make([]int32, 0, g.win*len(axes))
		for axis, d := range axes {
			at := g.cells[c].at
			for range g.win {
				list = append(list, int32(g.cellAt(at))*int32(len(axes))+int32(axis))
				at = at.Step(d.Opposite())
			}
		}
		g.through[c] = list
	}
	return g.through[c]
}

// cellsOf returns the cells of a window in order.
func (g *grid) cellsOf(w int32) []cell {
	if g.members[w] == nil {
		list := make([]cell, 0, g.win)
		at := g.cells[w/int32(len(axes))].at
		for range g.win {
			list = append(list, g.cellAt(at))
			at = at.Step(axes[w%int32(len(axes))])
		}
		g.members[w] = list
	}
	return g.members[w]
}

// place puts a piece on an empty cell.
func (g *grid) place(c cell, s rules.Side) {
	own := s - rules.X
	g.cells[c].side = s
	g.hash ^= g.cells[c].keys[own]
	g.placed = append(g.placed, stone{c, len(g.active)})
	for _, w := range g.windowsOf(c) {
		before := g.windows[w].count
		g.unlist(w)
		g.windows[w].count[own]++
		g.list(w)
		if before[0]+before[1] == 0 {
			g.activate(w)
		}
		g.revalue(w, before)
	}
}

// take removes the piece that was placed last.
func (g *grid) take(c cell) {
	own := g.cells[c].side - rules.X
	for _, w := range g.through[c] {
		before := g.windows[w].count
		g.unlist(w)
		g.windows[w].count[own]--
		g.list(w)
		g.revalue(w, before)
	}
	g.cells[c].side = rules.None
	g.hash ^= g.cells[c].keys[own]
	last := len(g.placed) - 1
	for _, c := range g.active[g.placed[last].active:] {
		g.cells[c].active = false
	}
	g.active = g.active[:g.placed[last].active]
	g.placed = g.placed[:last]
	if g.learned != nil {
		g.learned.kept = min(g.learned.kept, last)
	}
}

// activate makes the cells of a window active.
func (g *grid) activate(w int32) {
	for _, c := range g.cellsOf(w) {
		if !g.cells[c].active {
			g.cells[c].active = true
			g.active = append(g.active, c)
		}
	}
}

// revalue updates the scores and gains after a window's counts changed.
func (g *grid) revalue(w int32, before [2]uint8) {
	count := g.windows[w].count
	if min(before[0], count[0]) > 0 && min(before[1], count[1]) > 0 {
		return
	}
	was := &g.worth[int(before[0])*(g.win+1)+int(before[1])]
	is := &g.worth[int(count[0])*(g.win+1)+int(count[1])]
	if *was == *is {
		return
	}
	x, o := is.gain[0]-was.gain[0], is.gain[1]-was.gain[1]
	g.score[0] += is.score[0] - was.score[0]
	g.score[1] += is.score[1] - was.score[1]
	for _, c := range g.members[w] {
		gain := &g.gains[c]
		gain[0] += x
		gain[1] += o
	}
}

// holder returns the side and number of pieces of the list that a window belongs to. ok
// is false if both sides have pieces in it, or if it lacks too many.
func (g *grid) holder(w *window) (side int, n uint8, ok bool) {
	switch {
	case w.count[0] >= g.listed && w.count[1] == 0:
		return 0, w.count[0], true
	case w.count[1] >= g.listed && w.count[0] == 0:
		return 1, w.count[1], true
	}
	return 0, 0, false
}

func (g *grid) list(w int32) {
	if side, n, ok := g.holder(&g.windows[w]); ok {
		l := &g.open[side][n]
		g.windows[w].place = int32(len(*l))
		*l = append(*l, w)
	}
}

func (g *grid) unlist(w int32) {
	if side, n, ok := g.holder(&g.windows[w]); ok {
		l := g.open[side][n]
		last := len(l) - 1
		at := g.windows[w].place
		l[at] = l[last]
		g.windows[l[at]].place = at
		g.open[side][n] = l[:last]
	}
}

// appendEmpty appends the empty cells of a window that has a piece.
func (g *grid) appendEmpty(dst []cell, w int32) []cell {
	for _, c := range g.members[w] {
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

// legal reports whether a piece may be placed now on c, an empty cell of a window that has a piece.
func (g *grid) legal(c cell) bool {
	if g.view >= g.win-1 {
		return true
	}
	for i := len(g.placed) - 1; i >= 0; i-- {
		if hexgrid.Distance(g.cells[g.placed[i].cell].at, g.cells[c].at) <= g.view {
			return true
		}
	}
	return false
}

// ahead breaks ties between cells of equal gain at random.
func (g *grid) ahead(a, b cell) bool {
	return bits.Reverse64(g.cells[a].keys[0]) < bits.Reverse64(g.cells[b].keys[0])
}
