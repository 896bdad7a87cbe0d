package hextictactoe

import (
	"cmp"
	"context"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// threat is the strong bot. It wins if it can and blocks if it must. Otherwise it looks
// for an attack without a defence, discards moves that allow the other side one, and
// searches the tree of the remaining moves by iterative deepening until its nodes are
// used up.
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
	t.account(&e)
	return e
}

// account says in the evaluation of the answer how the search ended.
func (t *thought) account(e *Evaluation) {
	if t.timer != nil {
		t.timer.measure(t.used)
	}
	e.Cut = t.cut && (t.spent.Fixed || t.spent.All == 0)
	e.Spent = t.spent
}

// thought is the search for one answer.
type thought struct {
	question *Question
	search
	depth      int  // the greatest depth of the tree in moves
	veto       bool // discard moves after which the other side has an attack
	exhaustive bool // think returned all moves that do not lose at once
}

func newThought(ctx context.Context, q *Question, l level) *thought {
	nodes := l.nodes(q)
	timed := l.timed && q.Spent.Plan > 0 && !q.Spent.Fixed
	if timed {
		nodes = q.Spent.Plan
	}
	t := &thought{
		question: q, depth: l.depth, veto: l.veto,
		search: search{grid: newGrid(q), ctx: ctx, nodes: nodes, table: newTable(nodes)},
	}
	if l.learned && q.Win == PatternCells && nodes >= LearnedNodes {
		t.learned = &estimate{evaluator: learnedEvaluator()}
	}
	switch {
	case timed:
		t.timer, t.again, t.spent.Plan = q.Timer, q.Spent, nodes
	case q.Spent.Fixed:
		t.again, t.spent = q.Spent, Spent{Plan: nodes, Fixed: true}
	case q.Limit > 0:
		t.spent = Spent{Plan: nodes, Fixed: true}
	}
	if l.prove {
		t.solver = newSolver(nodes)
	}
	if q.Depth > 0 {
		t.depth = min(t.depth, q.Depth)
	}
	return t
}

// The shares of the nodes that are spent on attacks, as divisors: first on an attack of the
// side to move, then on attacks of the other side after each move, and at the end on attacks
// of the other side after the chosen move.
const (
	attackShare = 6
	dangerShare = 4
	lastShare   = 6
)

// think returns the moves considered and their values, best first. It returns none if no
// window is open.
func (t *thought) think() []rated {
	side, other := t.question.ToMove, t.question.ToMove.Other()
	if p, ok := t.winning(side); ok {
		return []rated{{p, won - 1}}
	}
	all := t.nodes
	if p, n := t.find(side, all/attackShare); n > 0 {
		return []rated{{p, won - int32(2*n-1)}}
	}
	t.met = t.appendThreats(t.met[:0], other)
	ways, ok := t.appendBlocks(nil, t.met)
	list := slices.Clone(
		t.candidates(side, 0, ways, len(t.met) > 0 && ok, rootWidth, rootFirsts, rootSeconds))
	if !ok {
		for i := range list {
			list[i].value = -(won - 2)
		}
		t.exhaustive = true
		return list
	}
	t.exhaustive = exhaustive(len(t.met) > 0, ways)
	t.rate(list, all/dangerShare)
	last := all / lastShare
	t.nodes -= last
	if t.growing = t.timed(); t.growing {
		t.nodes = int(endless)
	}
	t.deepenTree(list, side, t.depth)
	if t.growing = false; t.timed() {
		t.nodes = 0
	}
	t.nodes = max(t.nodes, 0) + last
	t.confirm(list)
	return list
}

// find looks for an attack with some of the nodes, and returns the number of the side's moves until
// the win, or 0.
func (t *thought) find(side rules.Side, nodes int) (p pair, winIn int) {
	if t.proofs != nil {
		return t.solve(side, nodes)
	}
	return t.deepen(side, nodes)
}

// rate sorts moves by their static values. With the veto, it values a move as a loss if an attack of
// the other side can follow.
func (t *thought) rate(list []rated, nodes int) {
	side := t.question.ToMove
	for i := range list {
		t.play(list[i].pair, side)
		list[i].value = -t.static(side.Other())
		if t.veto {
			if _, n := t.find(side.Other(), nodes/len(list)); n > 0 {
				list[i].value = -(won - int32(2*n))
			}
		}
		t.undo(list[i].pair)
	}
	sortRated(list)
}

// sortRated sorts moves by decreasing value; the sort is stable.
func sortRated(list []rated) {
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
}

// deepenTree searches the tree below moves that are not known to lose by iterative
// deepening and sorts the moves by their values.
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
			if v > alpha || i == 0 { // the best so far comes first, even if the nodes run out
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

// confirm uses the remaining nodes to look for an attack against the best move. If there
// is one, the next move becomes the best.
func (t *thought) confirm(list []rated) {
	side := t.question.ToMove
	for range list {
		if !t.veto || t.nodes <= 0 || list[0].value >= certain || list[0].value <= -certain {
			return
		}
		t.play(list[0].pair, side)
		_, n := t.find(side.Other(), t.nodes)
		t.undo(list[0].pair)
		if n == 0 {
			return
		}
		list[0].value = -(won - int32(2*n))
		sortRated(list)
	}
}

// answer converts the moves considered to an answer.
func (t *thought) answer(list []rated) (a Answer) {
	if len(list) == 0 {
		return nearest{}.Move(t.ctx, *t.question)
	}
	for i := range list {
		a.Considered = append(a.Considered,
			Option{t.completeMove(list[i].pair), t.question.after(list[i].value)})
	}
	t.account(&a.Considered[0].Evaluation)
	a.Option = a.Considered[0]
	return a
}

// completeMove returns the cells of a move in an order in which they can be placed. A move has
// two pieces, so a single cell is completed by any other.
func (t *thought) completeMove(p pair) []rules.Coord {
	if p[0] == p[1] {
		return []rules.Coord{t.cells[p[0]].at, t.question.fillerCell(t.cells[p[0]].at)}
	}
	t.order(&p)
	return []rules.Coord{t.cells[p[0]].at, t.cells[p[1]].at}
}
