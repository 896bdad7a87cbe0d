package main

import (
	"slices"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/contest/exact"
)

// position is what the evaluation sees of a position, and the target of its training.
type position struct {
	windows []uint16 // patterns of the windows with a piece, as the side to move sees them
	target  float32  // the probability that the side to move wins
}

const (
	// searchScale is the logarithm of the odds of a win at which a search returns the value that an
	// evaluation shows as tanh 1. It was found by logistic regression on the teacher's games.
	searchScale = 0.6
	// mostSure is the probability of a win that is proven; a search may err.
	mostSure = 0.99
	// later is the weight of the next position's target; the search of this position has the rest.
	later = 0.4
)

// appendPositions appends the positions of a game after its last random move, except those in
// which the side to move wins at once: they are never evaluated.
func (g *game) appendPositions(dst []position) []position {
	targets := make([]float64, len(g.values))
	for i := len(targets) - 1; i >= g.from; i-- {
		targets[i] = probability(g.values[i])
		if i+1 < len(targets) {
			targets[i] = float64((1-later)*targets[i]) + float64(later*targets[i+1])
		}
	}
	board := map[rules.Coord]rules.Side{}
	for _, p := range g.setup.Pieces {
		board[p.Coord] = p.Side
	}
	side := g.setup.ToMove
	for i, target := range targets {
		if side == rules.O {
			target = 1 - target
		}
		if i >= g.from {
			if windows, ok := patterns(board, side); ok {
				dst = append(dst, position{windows, float32(target)})
			}
		}
		if i < len(g.moves) {
			for _, c := range g.moves[i].Pieces[:g.moves[i].Placed] {
				board[c] = side
			}
		}
		side = side.Other()
	}
	return dst
}

// probability converts the result of a search to the probability that x wins.
func probability(e bots.Evaluation) float64 {
	switch {
	case e.WinIn > 0:
		return mostSure
	case e.WinIn < 0:
		return 1 - mostSure
	}
	const most = 0.999 // of a search that proved nothing
	h := min(max(e.Heuristic, -most), most)
	return sigmoid(searchScale / 2 * exact.Log((1+h)/(1-h)))
}

func sigmoid(x float64) float64 { return 1 / (1 + exact.Exp(-x)) }

// axes holds the directions of windows from their first cell.
var axes = [...]hexgrid.Dir{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}

// patterns returns the patterns of the windows with a piece, as a side sees them, in their
// canonical form; ok is false if the side can fill one of them with its next move.
func patterns(board map[rules.Coord]rules.Side, side rules.Side) (list []uint16, ok bool) {
	type window struct {
		first rules.Coord
		axis  int
	}
	found := map[window]int{}
	for c, s := range board {
		digit := 1
		if s != side {
			digit = 2
		}
		for axis, d := range axes {
			first, unit := c, digit
			for range bots.PatternCells {
				found[window{first, axis}] += unit
				first = first.Step(d.Opposite())
				unit *= 3
			}
		}
	}
	for _, p := range found {
		if own, other := counts(p); own >= bots.PatternCells-2 && other == 0 {
			return nil, false
		}
		list = append(list, uint16(canonical[p]))
	}
	slices.Sort(list) // the order of a map differs from run to run
	return list, true
}

func counts(pattern int) (own, other int) {
	for ; pattern > 0; pattern /= 3 {
		switch pattern % 3 {
		case 1:
			own++
		case 2:
			other++
		}
	}
	return own, other
}

// canonical holds the least number of each pattern and its reverse; exchanged holds the canonical
// form of the pattern with the pieces of both sides exchanged.
var canonical, exchanged = func() (least, other [bots.Patterns]int) {
	var swapped [bots.Patterns]int
	for p := range least {
		reverse := 0
		for unit := 1; unit < bots.Patterns; unit *= 3 {
			digit := p / unit % 3
			reverse = 3*reverse + digit
			if digit > 0 {
				swapped[p] += (3 - digit) * unit
			}
		}
		least[p] = min(p, reverse)
	}
	for p, s := range swapped {
		other[p] = least[s]
	}
	return least, other
}()
