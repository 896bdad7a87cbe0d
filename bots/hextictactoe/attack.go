package hextictactoe

import (
	"cmp"
	"context"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// search looks for attacks: moves that all have to be answered with both pieces,
// until one cannot be. It gives up when its budget of moves is used up or its
// context ends; what it has found until then holds.
type search struct {
	*grid
	ctx    context.Context
	budget int // moves that may be tried
	over   bool

	gains []float64 // of cells that are noted; of others below 0
	noted []cell
}

// spend takes one move off the budget; it is false when there is none.
func (s *search) spend() bool {
	if s.over || s.budget <= 0 {
		return false
	}
	if s.budget--; s.budget&63 == 0 && s.ctx.Err() != nil {
		s.over = true
		return false
	}
	return true
}

// attack finds a move with which side, who is to move, wins in at most so many
// moves, whatever the other side does. winIn is 0 if there is none.
func (s *search) attack(side rules.Side, moves int) (p pair, winIn int) {
	if s.threatened(side) {
		if cells := s.winning(side); len(cells) == 2 {
			return pair(cells), 1
		} else if len(cells) == 1 {
			return pair{cells[0], cells[0]}, 1
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

// forced is in how many moves side wins that has just made the first of them, 0
// if that is not certain: the other side must have no win, and no answer that
// helps.
func (s *search) forced(side rules.Side, moves int) (winIn int) {
	other := side.Other()
	if !s.threatened(side) || s.threatened(other) {
		return 0
	}
	answers, ok := s.blocks(side)
	if !ok {
		return 2
	}
	if moves <= 2 {
		return 0
	}
	for _, a := range answers {
		if len(a) == 1 {
			return 0 // it has a piece to spare
		}
	}
	for _, a := range answers {
		if !s.spend() {
			return 0
		}
		s.play(pair(a), other)
		_, n := s.attack(side, moves-1)
		s.undo(pair(a))
		if n == 0 {
			return 0
		}
		winIn = max(winIn, n+1)
	}
	return winIn
}

// Bounds of what is tried in one position, and what it costs to find it, in moves.
const (
	mostMoves   = 48
	mostSingles = 20 // cells that make a threat by themselves
	mostOthers  = 10 // cells that go with these
	forcingCost = 12
)

// rated is a move and what it gains.
type rated struct {
	pair
	gain float64
}

// forcing are the moves of side that make a threat, the most promising first. If
// the other side threatens something, they meet that.
func (s *search) forcing(side rules.Side) (moves []rated) {
	s.budget -= forcingCost
	open := s.open[side-rules.X]
	var singles, others []cell
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

// promising sorts moves by what they gain, and keeps the best of those that can
// be played and leave the other side no win.
func (s *search) promising(moves []rated, side rules.Side) []rated {
	var must []int32
	s.threats(side.Other(), func(w int32) bool {
		must = append(must, w)
		return true
	})
	kept := moves[:0]
	for _, m := range moves {
		if slices.ContainsFunc(must, func(w int32) bool { return !s.holds(w, m.pair[0]) && !s.holds(w, m.pair[1]) }) {
			continue
		}
		if m.pair[0] > m.pair[1] {
			m.pair[0], m.pair[1] = m.pair[1], m.pair[0]
		}
		m.gain = s.known(m.pair[0], side) + s.known(m.pair[1], side)
		kept = append(kept, m)
	}
	s.forget()
	slices.SortFunc(kept, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.pair[0], b.pair[0]), cmp.Compare(a.pair[1], b.pair[1]))
	})
	kept = slices.Compact(kept)
	kept = slices.DeleteFunc(kept[:min(len(kept), mostMoves)], func(m rated) bool { return !s.order(&m.pair) })
	for i := range kept {
		s.order(&kept[i].pair)
	}
	return kept
}

// known is the gain of a cell, which is computed once until it is forgotten.
func (s *search) known(c cell, side rules.Side) float64 {
	for len(s.gains) < len(s.cells) {
		s.gains = append(s.gains, -1)
	}
	if s.gains[c] < 0 {
		s.gains[c] = s.gain(c, side)
		s.noted = append(s.noted, c)
	}
	return s.gains[c]
}

func (s *search) forget() {
	for _, c := range s.noted {
		s.gains[c] = -1
	}
	s.noted = s.noted[:0]
}

// best are the n best empty cells for a side, sorted, in place.
func (s *search) best(cells []cell, side rules.Side, n int) []cell {
	cells = slices.DeleteFunc(cells, func(c cell) bool { return s.cells[c].side != rules.None })
	for _, c := range cells {
		s.known(c, side)
	}
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(s.gains[b], s.gains[a]) })
	s.forget()
	return cells[:min(n, len(cells))]
}

func distinct(cells []cell) []cell {
	slices.Sort(cells)
	return slices.Compact(cells)
}
