package hextictactoe

import (
	"math/bits"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// The solver proves that the side to move, the attacker, wins by moves that each take both
// pieces of the other side to meet. Every pair that meets all threats is a reply; if a reply
// makes threats, the next attack has to meet them too. It is a depth-first proof-number search
// (Nagai, 2002): it always looks at the position that needs the fewest further results. Pieces
// are only added, so that no position repeats.

// proof is the solver's knowledge of a position.
type proof struct {
	key   uint64
	win   int32 // the least number of positions to prove for a win: 0 if it is proven
	fail  int32 // the same for the refutation of all attacks: 0 if they are refuted
	turns int32 // moves of the attacker until the win, if it is proven
	move  pair  // the attack that wins, if it is proven and the attacker is to move
}

const (
	endless   int32 = 1 << 28 // greater than any sum of positions to prove
	mostTurns       = 12      // moves of the attacker; longer wins were never found in games
)

// Sizes of the table of proofs, in entries of 32 bytes. Half of the nodes, at most, are
// positions to remember.
const (
	leastProofs = 1 << 8
	mostProofs  = 1 << 17
)

// solver holds the memory of the solver, and buffers that it uses in turn.
type solver struct {
	proofs  []proof  // by the key of the position; a new one replaces any other in its place
	most    int      // the limit of the attacker's moves
	frames  [][]step // by ply
	singles []cell
	others  []cell
	couples []couple
}

// newSolver returns a solver for a search of that number of nodes.
func newSolver(nodes int) solver {
	size := min(max(leastProofs, 1<<bits.Len(uint(nodes/2))), mostProofs)
	return solver{proofs: make([]proof, size)}
}

// step is a move from a position, with the numbers of the position after it.
type step struct {
	pair
	win, fail int32
	turns     int32
}

// attackKeys are random numbers by the attacker: for positions before and after its move.
var attackKeys = [2][2]uint64{
	{0x8c1f3b5a7d92e604, 0x2f7ac6d10b9e4835}, {0xd3506e9b41a8f72c, 0x59e4820fb67c1da3},
}

// key returns the key of the position after ply moves of a proof. It tells apart positions with the
// same pieces by the attacker, the side to move, and the turns that are left to the attacker.
func (s *search) key(hash uint64, own rules.Side, ply int) uint64 {
	return hash ^ attackKeys[own][ply%2] ^ uint64(s.most-ply/2)<<32
}

// solve looks for a win of side, which is to move, with some of the nodes, and for shorter ones
// with those that are left. turns is the number of its moves until the win, or 0 if it finds none.
func (s *search) solve(side rules.Side, nodes int) (p pair, turns int) {
	rest := s.nodes - nodes
	s.nodes = nodes
	for s.most = mostTurns; s.most > 0; s.most = turns - 1 {
		e := s.prove(side, 0, endless, endless)
		if e.win > 0 {
			break
		}
		p, turns = e.move, int(e.turns)
	}
	s.nodes = max(s.nodes, 0) + rest
	return p, turns
}

// frame returns an empty list for the steps of a ply.
func (s *search) frame(ply int) []step {
	for len(s.frames) <= ply {
		s.frames = append(s.frames, make([]step, 0, mostAttacks))
	}
	return s.frames[ply][:0]
}

// prove searches a position with the attacker to move until it is decided, or until one of its
// numbers reaches a limit.
func (s *search) prove(side rules.Side, ply int, win, fail int32) proof {
	own := side - rules.X
	e := proof{key: s.key(s.hash, own, ply), win: 1, fail: 1}
	if !s.spend() {
		return e
	}
	if s.threatened(side) {
		if p, ok := s.winning(side); ok {
			e.win, e.fail, e.turns, e.move = 0, endless, 1, p
			return e
		}
	}
	var moves []step
	if ply/2+2 <= s.most {
		moves = s.attacks(side, ply)
	}
	for i := range moves {
		s.recall(&moves[i], own, own, ply+1)
	}
	for {
		best, second := -1, endless
		e.win, e.fail = endless, 0
		worst, live := int32(0), int32(0)
		for i := range moves {
			m := &moves[i]
			if m.fail > 0 {
				worst, live = max(worst, m.fail), live+1
			}
			if m.win < e.win {
				best, second, e.win = i, e.win, m.win
			} else {
				second = min(second, m.win)
			}
		}
		if live > 0 {
			e.fail = min(worst+live-1, endless)
		}
		if e.win == 0 {
			e.move, e.turns, e.fail = moves[best].pair, moves[best].turns+1, endless
		}
		if e.win >= win || e.fail >= fail || e.win == 0 || e.fail == 0 || s.nodes <= 0 || s.cut {
			break
		}
		m := &moves[best]
		s.play(m.pair, side)
		c := s.refute(side, ply+1, min(win, second+1+second/4), fail-e.fail+m.fail)
		s.undo(m.pair)
		m.win, m.fail, m.turns = c.win, c.fail, c.turns
	}
	*s.slot(e.key) = e
	return e
}

// recall takes over the numbers of the position after a step of a side, if they are known.
func (s *search) recall(m *step, by, own rules.Side, ply int) {
	hash := s.hash ^ s.cells[m.pair[0]].keys[by] ^ s.cells[m.pair[1]].keys[by]
	key := s.key(hash, own, ply)
	if c := s.slot(key); c.key == key {
		m.win, m.fail, m.turns = c.win, c.fail, c.turns
	}
}

// slot returns the place of a position in the table.
func (s *search) slot(key uint64) *proof { return &s.proofs[key&uint64(len(s.proofs)-1)] }

// refute searches a position after an attack, with the other side to move.
func (s *search) refute(side rules.Side, ply int, win, fail int32) proof {
	own := side - rules.X
	e := proof{key: s.key(s.hash, own, ply), win: 1, fail: 1}
	if !s.spend() {
		return e
	}
	var threats [32]int32
	var ways [16]pair
	replies := s.frame(ply)
	list, _ := s.appendBlocks(ways[:0], s.appendThreats(threats[:0], side))
	for _, p := range list {
		if p[0] == p[1] { // a piece to spare
			e.win, e.fail = endless, 0
			*s.slot(e.key) = e
			return e
		}
		p.sort()
		if slices.ContainsFunc(replies, func(m step) bool { return m.pair == p }) {
			continue
		}
		m := step{pair: p, win: 1, fail: 1}
		s.recall(&m, 1-own, own, ply+1)
		replies = append(replies, m)
	}
	s.frames[ply] = replies
	for {
		best, second := -1, endless
		e.fail, e.win, e.turns = endless, 0, 1
		for i := range replies {
			m := &replies[i]
			e.win = min(e.win+m.win, endless)
			e.turns = max(e.turns, m.turns)
			if m.fail < e.fail {
				best, second, e.fail = i, e.fail, m.fail
			} else {
				second = min(second, m.fail)
			}
		}
		if e.win >= win || e.fail >= fail || e.win == 0 || e.fail == 0 || s.nodes <= 0 || s.cut {
			break
		}
		m := &replies[best]
		s.play(m.pair, side.Other())
		c := s.prove(side, ply+1, win-e.win+m.win, min(fail, second+1+second/4))
		s.undo(m.pair)
		m.win, m.fail, m.turns = c.win, c.fail, c.turns
	}
	*s.slot(e.key) = e
	return e
}
