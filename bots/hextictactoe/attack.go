package hextictactoe

import (
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// deepen looks for an attack with some of the nodes, short ones first. The levels for people keep
// to it: the solver would make them much stronger.
func (s *search) deepen(side rules.Side, nodes int) (p pair, winIn int) {
	rest := s.nodes - nodes
	s.nodes = nodes
	for moves := 2; moves <= mostAttack && winIn == 0 && s.spend(); moves++ {
		before := s.nodes
		p, winIn = s.attack(side, moves)
		if before == s.nodes { // no threat is possible
			break
		}
	}
	s.nodes = max(s.nodes, 0) + rest
	return p, winIn
}

// mostAttack is the largest number of own moves in an attack.
const mostAttack = 10

// attack looks for a move by which side, which is to move, wins in at most that many of
// its moves against any defence: each move except the last makes a threat that takes both
// pieces to meet. winIn is 0 if there is no such move.
func (s *search) attack(side rules.Side, moves int) (p pair, winIn int) {
	if s.threatened(side) {
		if p, ok := s.winning(side); ok {
			return p, 1
		}
	}
	if moves <= 1 {
		return p, 0
	}
	for _, try := range s.forcing(side) {
		if !s.spend() {
			return p, 0
		}
		s.play(try.pair, side)
		n := s.forced(side, moves)
		s.undo(try.pair)
		if n > 0 {
			return try.pair, n
		}
	}
	return p, 0
}

// forced returns the number of moves in which side wins after playing the first of them,
// or 0 if that is not certain: the other side must have no win and no sufficient answer.
func (s *search) forced(side rules.Side, moves int) (winIn int) {
	other := side.Other()
	if !s.threatened(side) || s.threatened(other) {
		return 0
	}
	var threats [16]int32
	var answers [16]pair
	ways, ok := s.appendBlocks(answers[:0], s.appendThreats(threats[:0], side))
	if !ok {
		return 2
	}
	if moves <= 2 || slices.ContainsFunc(ways, func(a pair) bool { return a[0] == a[1] }) {
		return 0 // one cell meets all threats and leaves a piece to spare
	}
	for _, a := range ways {
		if !s.spend() {
			return 0
		}
		s.play(a, other)
		_, n := s.attack(side, moves-1)
		s.undo(a)
		if n == 0 {
			return 0
		}
		winIn = max(winIn, n+1)
	}
	return winIn
}

// Limits of what is tried in one position, and the cost of finding it in nodes.
const (
	mostMoves   = 48
	mostSingles = 20 // cells that make a threat alone
	mostOthers  = 10 // cells combined with these
	forcingCost = 8
)

// forcing returns the moves of side that make a threat, the most promising first. If the
// other side has threats, the moves also meet them.
func (s *search) forcing(side rules.Side) (moves []rated) {
	open := s.open[side-rules.X]
	if (s.win < 4 || len(open[s.win-3]) == 0) && (s.win < 5 || len(open[s.win-4]) == 0) {
		return nil
	}
	s.use(forcingCost)
	var few [64]cell
	singles, others := few[:0:32], few[32:32]
	if s.win >= 4 {
		for _, w := range open[s.win-3] {
			singles = s.appendEmpty(singles, w)
		}
	}
	if s.win >= 5 {
		for _, w := range open[s.win-4] {
			from := len(others)
			others = s.appendEmpty(others, w)
			for i, a := range others[from:] {
				for _, b := range others[from+i+1:] {
					moves = append(moves, rated{pair: pair{a, b}})
				}
			}
		}
	}
	singles = s.best(distinct(singles), side, mostSingles)
	others = s.best(distinct(others), side, mostOthers)
	for i, a := range singles {
		for _, b := range singles[i+1:] {
			moves = append(moves, rated{pair: pair{a, b}})
		}
		for _, b := range others {
			if a != b {
				moves = append(moves, rated{pair: pair{a, b}})
			}
		}
	}
	return s.promising(moves, side)
}

// promising sorts moves by what they gain and keeps the best ones that can be played and
// leave the other side no win.
func (s *search) promising(moves []rated, side rules.Side) []rated {
	var few [16]int32
	must := s.appendThreats(few[:0], side.Other())
	own := side - rules.X
	kept := moves[:0]
	for _, m := range moves {
		if !s.meets(m.pair, must) {
			continue
		}
		m.sort()
		m.value = s.gains[m.pair[0]][own] + s.gains[m.pair[1]][own]
		kept = append(kept, m)
	}
	slices.SortFunc(kept, compareRated)
	kept = slices.Compact(kept)
	return slices.DeleteFunc(kept[:min(len(kept),
		mostMoves)], func(m rated) bool { p := m.pair; return !s.order(&p) })
}
