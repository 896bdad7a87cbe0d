package hextictactoe

import (
	"cmp"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Limits of the attacks from one position, and their cost in nodes.
const (
	mostAttacks   = 64
	mostPairs     = 400 // that are looked at
	solverSingles = 16  // cells that make a threat alone
	solverOthers  = 10  // cells combined with these
	pairsPerNode  = 10
)

// attacks returns the moves of side that take both pieces of the other side to meet, the most
// promising first. They also meet the other side's threats.
func (s *search) attacks(side rules.Side, ply int) []step {
	open := s.open[side-rules.X]
	if (s.win < 4 || len(open[s.win-3]) == 0) && (s.win < 5 || len(open[s.win-4]) == 0) {
		return nil
	}
	couples := s.pairs(side)
	s.use(len(couples) / pairsPerNode)
	moves := s.frame(ply)
	for _, m := range couples {
		p := m.pair()
		n := s.ways(p, side)
		if n < 0 || !s.order(&p) {
			continue
		}
		if n == 0 {
			moves = append(moves, step{pair: p, fail: endless, turns: 1})
			break
		}
		moves = append(moves, step{pair: p, win: int32(n + len(moves)), fail: 1})
		if len(moves) == mostAttacks {
			break
		}
	}
	s.frames[ply] = moves
	return moves
}

// couple is a move and what it gains in one number, so that moves are sorted fast: the best is
// the least.
type couple uint64

// Bits of a couple. The cells of 60 000 pieces have smaller numbers, if six in a row win.
const (
	cellBits = 22
	mostGain = 1<<(64-2*cellBits) - 1
)

func coupleOf(a, b cell, gain int32) couple {
	a, b = min(a, b), max(a, b)
	return couple(mostGain-gain)<<(2*cellBits) | couple(a)<<cellBits | couple(b)
}

func (c couple) pair() pair {
	return pair{cell(c >> cellBits & (1<<cellBits - 1)), cell(c & (1<<cellBits - 1))}
}

// pairs returns the moves of side that make a threat and meet those of the other side, by what
// they gain.
func (s *search) pairs(side rules.Side) []couple {
	open, own := s.open[side-rules.X], side-rules.X
	var few [32]int32
	must := s.appendThreats(few[:0], side.Other())
	singles, others, moves := s.singles[:0], s.others[:0], s.couples[:0]
	if s.win >= 4 {
		for _, w := range open[s.win-3] {
			singles = s.appendEmpty(singles, w)
		}
	}
	s.singles = singles
	if s.win >= 5 {
		for _, w := range open[s.win-4] {
			from := len(others)
			others = s.appendEmpty(others, w)
			for i, a := range others[from:] {
				for _, b := range others[from+i+1:] {
					moves = s.appendPair(moves, pair{a, b}, own, must)
				}
			}
		}
	}
	for _, w := range must {
		others = s.appendEmpty(others, w)
	}
	s.others = others
	singles = s.best(distinct(singles), side, solverSingles)
	others = s.best(distinct(others), side, solverOthers)
	for i, a := range singles {
		for _, b := range singles[i+1:] {
			moves = s.appendPair(moves, pair{a, b}, own, must)
		}
		for _, b := range others {
			if a != b {
				moves = s.appendPair(moves, pair{a, b}, own, must)
			}
		}
	}
	slices.Sort(moves)
	s.couples = moves
	moves = slices.Compact(moves)
	return moves[:min(len(moves), mostPairs)]
}

// appendPair appends a move unless it leaves one of the windows to the other side.
func (s *search) appendPair(moves []couple, p pair, own rules.Side, must []int32) []couple {
	if len(must) > 0 && !s.meets(p, must) {
		return moves
	}
	return append(moves, coupleOf(p[0], p[1], s.gains[p[0]][own]+s.gains[p[1]][own]))
}

// ways returns the number of pairs of cells that would meet all threats which a move makes, or -1
// if one cell would meet them.
func (s *search) ways(p pair, side rules.Side) (n int) {
	own := side - rules.X
	var few [36]int32
	threats := few[:0]
	for k, c := range p {
		for _, w := range s.windowsOf(c) {
			count := s.windows[w].count
			if count[1-own] > 0 || int(count[own])+len(p) < s.win-2 {
				continue
			}
			both := s.holds(w, p[1-k])
			if both && k == 1 { // it is listed
				continue
			}
			have := int(count[own]) + 1
			if both {
				have++
			}
			if have >= s.win-2 {
				threats = append(threats, w)
			}
		}
	}
	if len(threats) == 0 {
		return -1
	}
	for _, a := range s.cellsOf(threats[0]) {
		if s.cells[a].side != rules.None || a == p[0] || a == p[1] {
			continue
		}
		rest := 1
		for rest < len(threats) && s.holds(threats[rest], a) {
			rest++
		}
		if rest == len(threats) {
			return -1
		}
		for _, b := range s.cellsOf(threats[rest]) {
			if s.cells[b].side == rules.None && b != p[0] && b != p[1] &&
				s.meets(pair{a, b}, threats[rest:]) {
				n++
			}
		}
	}
	return n
}

// best sorts cells in place and returns the n cells that gain side the most.
func (s *search) best(cells []cell, side rules.Side, n int) []cell {
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(s.gains[b][side-rules.X], s.gains[a][side-rules.X]), cmp.Compare(a, b))
	})
	return cells[:min(n, len(cells))]
}

func distinct(cells []cell) []cell {
	slices.Sort(cells)
	return slices.Compact(cells)
}
