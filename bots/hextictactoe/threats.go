package hextictactoe

import (
	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// pair is a move: two cells in an order in which they can be placed. Two equal cells
// stand for one sufficient cell with any other.
type pair [2]cell

// appendThreats appends the windows that s can fill with one move.
func (g *grid) appendThreats(dst []int32, s rules.Side) []int32 {
	for n := g.win - 1; n >= max(1, g.win-2); n-- {
		dst = append(dst, g.open[s-rules.X][n]...)
	}
	return dst
}

// threatened reports whether s could win with its next move.
func (g *grid) threatened(s rules.Side) bool {
	open := g.open[s-rules.X]
	return len(open[g.win-1]) > 0 || g.win > 2 && len(open[g.win-2]) > 0
}

// winning returns a move that wins for s; ok reports whether one exists.
func (g *grid) winning(s rules.Side) (move pair, ok bool) {
	for n := g.win - 1; n >= max(1, g.win-2); n-- {
		for _, w := range g.open[s-rules.X][n] {
			var cells [2]cell
			p := g.appendEmpty(cells[:0], w)
			switch {
			case len(p) == 1 && g.legal(p[0]):
				return pair{p[0], p[0]}, true
			case len(p) == 2:
				if move = pair(p); g.order(&move) {
					return move, true
				}
			}
		}
	}
	return move, false
}

// order puts a pair of empty cells into an order in which they can be placed. It returns
// false if neither order is possible.
func (g *grid) order(p *pair) bool {
	for range len(p) {
		first, second := &g.cells[p[0]], &g.cells[p[1]]
		nearFirst := hexgrid.Distance(first.at, second.at) <= g.view
		if g.legal(p[0]) && (nearFirst || g.legal(p[1])) {
			return true
		}
		p[0], p[1] = p[1], p[0]
	}
	return false
}

// appendBlocks appends the ways to meet all threats, windows that the other side could
// fill. A way is a pair of cells, or one cell twice if the other piece is free. ok is
// false if the threats cannot be met.
func (g *grid) appendBlocks(dst []pair, threats []int32) (ways []pair, ok bool) {
	if len(threats) == 0 {
		return dst, true
	}
	before := len(dst)
	var firsts, seconds [2]cell
	for _, a := range g.appendEmpty(firsts[:0], threats[0]) {
		rest := 1
		for rest < len(threats) && g.holds(threats[rest], a) {
			rest++
		}
		if rest == len(threats) {
			if g.legal(a) {
				dst = append(dst, pair{a, a})
			}
			continue
		}
		for _, b := range g.appendEmpty(seconds[:0], threats[rest]) {
			if p := (pair{a, b}); g.meets(p, threats[rest:]) && g.order(&p) {
				dst = append(dst, p)
			}
		}
	}
	return dst, len(dst) > before
}

// meets reports whether each of the windows contains one of the cells.
func (g *grid) meets(p pair, windows []int32) bool {
	for _, w := range windows {
		if !g.holds(w, p[0]) && !g.holds(w, p[1]) {
			return false
		}
	}
	return true
}

// play places a move, undo removes it.
func (g *grid) play(p pair, s rules.Side) {
	g.place(p[0], s)
	if p[1] != p[0] {
		g.place(p[1], s)
	}
}

func (g *grid) undo(p pair) {
	if p[1] != p[0] {
		g.take(p[1])
	}
	g.take(p[0])
}
