package hextictactoe

import (
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// pair is a move: two cells, in an order in which they can be placed.
type pair [2]cell

// threats calls f for the windows that s can fill with one move, until f says
// that it has enough.
func (g *grid) threats(s rules.Side, f func(w int32) (more bool)) {
	for n := g.win - 1; n >= max(1, g.win-2); n-- {
		for _, w := range g.open[s-rules.X][n] {
			if !f(w) {
				return
			}
		}
	}
}

// threatened reports whether s could win with its next move.
func (g *grid) threatened(s rules.Side) bool {
	open := g.open[s-rules.X]
	return len(open[g.win-1]) > 0 || g.win > 2 && len(open[g.win-2]) > 0
}

// winning is the cells of a move that wins for s, one or two; none if there is
// no such move.
func (g *grid) winning(s rules.Side) (move []cell) {
	g.threats(s, func(w int32) bool {
		p := g.appendEmpty(nil, w)
		if len(p) == 2 && g.order((*pair)(p)) || len(p) == 1 && g.legal(p[0]) {
			move = p
		}
		return move == nil
	})
	return move
}

// order puts a pair of empty cells into an order in which they can be placed; it
// is false if there is none.
func (g *grid) order(p *pair) bool {
	for range len(p) {
		first, second := g.cells[p[0]].at, g.cells[p[1]].at
		nearFirst := rules.OnBoard(second) && hexgrid.Distance(first, second) <= g.view
		if g.legal(p[0]) && (nearFirst || g.legal(p[1])) {
			return true
		}
		p[0], p[1] = p[1], p[0]
	}
	return false
}

// blocks are the ways to meet all threats of s with one move. Each is one cell,
// which leaves a piece to place anywhere, or two. With none that is enough, ok is
// false.
func (g *grid) blocks(s rules.Side) (ways [][]cell, ok bool) {
	var windows []int32
	g.threats(s, func(w int32) bool {
		windows = append(windows, w)
		return true
	})
	if len(windows) == 0 {
		return nil, true
	}
	var firsts, seconds [2]cell
	for _, a := range g.appendEmpty(firsts[:0], windows[0]) {
		rest := slices.IndexFunc(windows, func(w int32) bool { return !g.holds(w, a) })
		if rest < 0 {
			if g.legal(a) {
				ways = append(ways, []cell{a})
			}
			continue
		}
		for _, b := range g.appendEmpty(seconds[:0], windows[rest]) {
			missed := func(w int32) bool { return !g.holds(w, a) && !g.holds(w, b) }
			if p := (pair{a, b}); !slices.ContainsFunc(windows[rest:], missed) && g.order(&p) {
				ways = append(ways, p[:])
			}
		}
	}
	return ways, len(ways) > 0
}

// play places a move, undo takes it back.
func (g *grid) play(p pair, s rules.Side) {
	g.place(p[0], s)
	g.place(p[1], s)
}

func (g *grid) undo(p pair) {
	g.take(p[1])
	g.take(p[0])
}
