package hextictactoe

import (
	"cmp"
	"context"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// threat is the strong bot. It wins when it can and blocks when it must. Then it
// looks for an attack that cannot be met, leaves out moves after which the other
// side has one, and searches the tree of the other moves, one move deeper at a
// time, until its nodes are used up.
type threat struct{ level level }

// Move implements Bot.
func (b threat) Move(ctx context.Context, q Question) Answer {
	t := newThought(ctx, &q, b.level)
	return t.answer(t.think())
}

// Judge implements Bot.
func (b threat) Judge(ctx context.Context, q Question) Evaluation {
	t := newThought(ctx, &q, b.level)
	list := t.think()
	if len(list) == 0 {
		return q.judged(0)
	}
	value := list[0].value
	if value <= -certain && !t.exhaustive {
		value = -likely
	}
	e := q.judged(value)
	e.Cut = t.cut
	return e
}

// thought is what goes into one answer.
type thought struct {
	question *Question
	search
	depth      int  // the most moves that the tree is searched deep
	exhaustive bool // there are no moves but those that think returned
}

func newThought(ctx context.Context, q *Question, l level) *thought {
	nodes := l.nodes(q)
	t := &thought{question: q, depth: l.depth, search: search{grid: newGrid(q), ctx: ctx, nodes: nodes, table: newTable(nodes)}}
	if q.Depth > 0 {
		t.depth = min(t.depth, q.Depth)
	}
	return t
}

// Shares of the nodes that are spent on looking for an attack: of the side to move
// before all else, of the other side after each move, and of the other side after
// the move that is to be played.
const (
	attackShare = 6
	dangerShare = 4
	lastShare   = 6
)

// mostAttack is how many moves of its own an attack may have.
const mostAttack = 10

// think returns the moves that were looked at, the best first, with their values;
// none if no window is open any more.
func (t *thought) think() []rated {
	side, other := t.question.ToMove, t.question.ToMove.Other()
	if p, ok := t.winning(side); ok {
		return []rated{{p, won - 1}}
	}
	all := t.nodes
	if p, n := t.deepen(side, all/attackShare); n > 0 {
		return []rated{{p, won - int32(2*n-1)}}
	}
	t.met = t.appendThreats(t.met[:0], other)
	ways, ok := t.appendBlocks(nil, t.met)
	list := slices.Clone(t.candidates(side, 0, ways, len(t.met) > 0 && ok, rootWidth, rootFirsts, rootSeconds))
	if !ok {
		for i := range list {
			list[i].value = -(won - 2)
		}
		t.exhaustive = true
		return list
	}
	t.exhaustive = exhaustive(len(t.met) > 0, ways)
	t.avoid(list, all/dangerShare)
	last := all / lastShare
	t.nodes -= last
	t.deepenTree(list, side, t.depth)
	t.nodes = max(t.nodes, 0) + last
	t.confirm(list)
	return list
}

// deepen looks for an attack with some of the nodes, the short ones first.
func (t *thought) deepen(side rules.Side, nodes int) (p pair, winIn int) {
	rest := t.nodes - nodes
	t.nodes = nodes
	for moves := 2; moves <= mostAttack && winIn == 0 && t.spend(); moves++ {
		before := t.nodes
		p, winIn = t.attack(side, moves)
		if before == t.nodes { // there is nothing to threaten with
			break
		}
	}
	t.nodes = max(t.nodes, 0) + rest
	return p, winIn
}

// avoid gives moves the value of a loss after which the other side has an attack.
func (t *thought) avoid(list []rated, nodes int) {
	side := t.question.ToMove
	for i := range list {
		t.play(list[i].pair, side)
		list[i].value = -t.static(side.Other())
		if _, n := t.deepen(side.Other(), nodes/len(list)); n > 0 {
			list[i].value = -(won - int32(2*n))
		}
		t.undo(list[i].pair)
	}
	sortRated(list)
}

// sortRated sorts moves by their value, the best first; equal ones stay in order.
func sortRated(list []rated) {
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
}

// deepenTree searches the tree below moves that are not known to lose, one move
// deeper at a time, and sorts them by their values.
func (s *search) deepenTree(list []rated, side rules.Side, most int) {
	n := slices.IndexFunc(list, func(m rated) bool { return m.value <= -certain })
	if n < 0 {
		n = len(list)
	}
	for depth := 1; depth <= most && n > 0 && s.nodes > 0 && !s.cut; depth++ {
		s.limit = min(mostPlies, 3*depth+4)
		alpha := -won
		for i := range n {
			m := &list[i]
			s.play(m.pair, side)
			v := s.try(side.Other(), depth-1, 0, i, false, alpha, won)
			s.undo(m.pair)
			if s.cut || s.nodes <= 0 {
				break
			}
			m.value = v
			if v > alpha || i == 0 { // the best so far comes first, also when the nodes end
				alpha = v
				best := *m
				copy(list[1:i+1], list[:i])
				list[0] = best
			}
		}
		if list[0].value >= certain || list[0].value <= -certain {
			return
		}
	}
}

// confirm looks once more, with the nodes that are left, for an attack against the
// best move. If there is one, the next best is the best.
func (t *thought) confirm(list []rated) {
	side := t.question.ToMove
	for range list {
		if t.nodes <= 0 || list[0].value >= certain || list[0].value <= -certain {
			return
		}
		t.play(list[0].pair, side)
		_, n := t.deepen(side.Other(), t.nodes)
		t.undo(list[0].pair)
		if n == 0 {
			return
		}
		list[0].value = -(won - int32(2*n))
		sortRated(list)
	}
}

// answer makes an answer of the moves that were looked at.
func (t *thought) answer(list []rated) (a Answer) {
	if len(list) == 0 {
		return nearest{}.Move(t.ctx, *t.question)
	}
	for i := range list {
		a.Considered = append(a.Considered, Option{t.whole(list[i].pair), t.question.after(list[i].value)})
	}
	a.Considered[0].Cut = t.cut
	a.Option = a.Considered[0]
	return a
}

// whole returns the cells of a move in an order in which they can be placed. One
// cell that is enough is followed by any other: a move is two pieces.
func (t *thought) whole(p pair) []rules.Coord {
	if p[0] == p[1] {
		return []rules.Coord{t.cells[p[0]].at, t.question.spare(t.cells[p[0]].at)}
	}
	t.order(&p)
	return []rules.Coord{t.cells[p[0]].at, t.cells[p[1]].at}
}
