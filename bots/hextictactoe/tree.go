package hextictactoe

import (
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Values of positions for the side to move: the difference of the scores or, for wins,
// the number of moves of both sides until then.
const (
	won     int32 = 1 << 24   // a win, minus the moves until then
	certain int32 = won - 512 // values of at least this are wins
	likely  int32 = won / 2   // a win unless an unexamined move helps, minus the moves until then
)

// Widths of the tree: the number of moves tried in a position, and of the first and
// second pieces of which they consist.
const (
	width       = 24
	firsts      = 12
	seconds     = 10
	rootWidth   = 40
	rootFirsts  = 16
	rootSeconds = 12
	mostCells   = rootWidth // of the pieces that are tried with one that meets a threat
)

// mostPlies is the greatest depth of the tree, answers to threats included.
const mostPlies = 40

// value returns the value of the position for side, which is to move after ply moves of
// the tree. It is exact if it is between alpha and beta. Moves that answer a threat do
// not count for the depth. The value is meaningless if the nodes are used up.
func (s *search) value(side rules.Side, depth, ply int, alpha, beta int32) int32 {
	if !s.spend() {
		return 0
	}
	other := side.Other()
	if s.threatened(side) {
		if _, ok := s.winning(side); ok {
			return won - int32(ply) - 1
		}
	}
	s.met = s.met[:0]
	if s.threatened(other) {
		s.met = s.appendThreats(s.met, other)
	}
	forced := len(s.met) > 0
	var few [16]pair
	ways, ok := s.appendBlocks(few[:0], s.met)
	if !ok {
		return -(won - int32(ply) - 2)
	}
	if ply >= s.limit || depth <= 0 && !forced {
		return s.static(side)
	}
	key := s.hash ^ uint64(side)*0x9e3779b97f4a7c15
	e := s.table.at(key)
	var first pair
	known := false
	if e.key == key && e.bound != 0 {
		first, known = e.move, true
		if v := fromTable(e.value, ply); int(e.depth) >= depth &&
			(e.bound == exact || e.bound == atLeast && v >= beta || e.bound == atMost && v <= alpha) {
			return v
		}
	}
	moves := s.candidates(side, ply, ways, forced, width, firsts, seconds)
	if len(moves) == 0 {
		return s.static(side)
	}
	if known {
		toFront(moves, first)
	}
	next := depth - 1
	if forced {
		next = depth
	}
	best, move, was := -won, moves[0].pair, alpha
	for i := range moves {
		m := moves[i].pair
		s.play(m, side)
		v := s.try(other, next, ply, i, forced, alpha, beta)
		s.undo(m)
		if s.cut || s.nodes <= 0 {
			return 0
		}
		if v > best {
			best, move = v, m
			alpha = max(alpha, v)
		}
		if alpha >= beta {
			break
		}
	}
	if best <= -certain && !exhaustive(forced, ways) {
		best = int32(ply) - likely // an unexamined move may be better
	}
	*e = entry{key: key, move: move, value: toTable(best, ply), depth: int8(depth), bound: exact}
	switch {
	case best >= beta:
		e.bound = atLeast
	case best <= was:
		e.bound = atMost
	}
	return best
}

// exhaustive reports whether the moves that meet a threat include all that do not lose at
// once. Those with a spare piece are not all examined.
func exhaustive(forced bool, ways []pair) bool {
	return forced && !slices.ContainsFunc(ways, func(p pair) bool { return p[0] == p[1] })
}

// late is the number of moves after which the others are first searched less deeply (late
// move reduction).
const late = 4

// try returns the value of move number i, which has just been played, for the side that
// played it. Moves after the first are searched with a null window first.
func (s *search) try(other rules.Side, depth, ply, i int, forced bool, alpha, beta int32) int32 {
	if i == 0 {
		return -s.value(other, depth, ply+1, -beta, -alpha)
	}
	less := depth
	if i >= late && depth >= 2 && !forced {
		less--
	}
	v := -s.value(other, less, ply+1, -alpha-1, -alpha)
	if v > alpha && less < depth {
		v = -s.value(other, depth, ply+1, -alpha-1, -alpha)
	}
	if v > alpha && v < beta {
		v = -s.value(other, depth, ply+1, -beta, -alpha)
	}
	return v
}

// toTable converts a value to the form of the table: wins are stored by their distance
// from the position, not from the root.
func toTable(v int32, ply int) int32 {
	switch {
	case v >= certain:
		return v + int32(ply)
	case v <= -certain:
		return v - int32(ply)
	}
	return v
}

func fromTable(v int32, ply int) int32 {
	switch {
	case v >= certain:
		return v - int32(ply)
	case v <= -certain:
		return v + int32(ply)
	}
	return v
}

// static returns the value of the position without looking ahead. Without the learned evaluation
// it includes half of what the side to move gains by its best two pieces, so that in quiet
// positions the value does not depend on the side to move.
func (s *search) static(side rules.Side) int32 {
	if s.learned != nil {
		return s.estimate(side)
	}
	own := side - rules.X
	var first, second int32
	for _, c := range s.active {
		if g := s.gains[c][own]; g > second && s.cells[c].side == rules.None {
			if g > first {
				first, second = g, first
			} else {
				second = g
			}
		}
	}
	return s.score[own] - s.score[1-own] + (first+second)/2
}

// candidates returns the most promising moves of side, best first; they consist of the
// best pieces. If forced, they are the ways to meet a threat, completed to whole moves.
func (s *search) candidates(
	side rules.Side, ply int, ways []pair, forced bool, width, firsts, seconds int,
) []rated {
	for len(s.moves) <= ply {
		s.moves = append(s.moves, nil)
	}
	moves := s.moves[ply][:0]
	var few [mostCells]cell
	if forced {
		for _, p := range ways {
			if p[0] == p[1] {
				moves = s.completed(moves, p[0], side, width)
			} else {
				p.sort()
				moves = append(moves, rated{p, s.gain(p, side)})
			}
		}
	} else {
		for _, a := range s.strongest(few[:0], side, firsts) {
			moves = s.completed(moves, a, side, seconds)
		}
	}
	slices.SortFunc(moves, compareRated)
	moves = slices.Compact(moves)
	s.moves[ply] = moves
	return moves[:min(len(moves), width)]
}

// completed appends the n best moves that have a piece on a.
func (s *search) completed(moves []rated, a cell, side rules.Side, n int) []rated {
	own := side - rules.X
	gain := s.gains[a][own]
	s.place(a, side)
	var few [mostCells]cell
	for _, b := range s.strongest(few[:0], side, n) {
		p := pair{a, b}
		p.sort()
		moves = append(moves, rated{p, gain + s.gains[b][own]})
	}
	s.take(a)
	return moves
}

// gain returns how much a move adds to the difference of the scores.
func (s *search) gain(p pair, side rules.Side) int32 {
	before := s.score
	s.play(p, side)
	after := s.score
	s.undo(p)
	own := side - rules.X
	return after[own] - before[own] - (after[1-own] - before[1-own])
}

// strongest appends the n cells that gain side the most and can be taken now, best first, to an
// empty list.
func (s *search) strongest(dst []cell, side rules.Side, n int) []cell {
	own := side - rules.X
	var gains [mostCells]int32 // of the listed cells
	for _, c := range s.active {
		g := s.gains[c][own]
		if g == 0 || s.cells[c].side != rules.None {
			continue
		}
		if len(dst) == n {
			if last := gains[n-1]; last > g || last == g && !s.ahead(c, dst[n-1]) {
				continue
			}
		}
		if !s.legal(c) {
			continue
		}
		if len(dst) < n {
			dst = append(dst, c)
		}
		i := len(dst) - 1
		for ; i > 0 && (gains[i-1] < g || gains[i-1] == g && s.ahead(c, dst[i-1])); i-- {
			dst[i], gains[i] = dst[i-1], gains[i-1]
		}
		dst[i], gains[i] = c, g
	}
	return dst
}

// toFront moves a move to the front of the list, if it is in it.
func toFront(moves []rated, p pair) {
	if i := slices.IndexFunc(moves, func(m rated) bool { return m.pair == p }); i > 0 {
		m := moves[i]
		copy(moves[1:i+1], moves[:i])
		moves[0] = m
	}
}
