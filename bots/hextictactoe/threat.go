package hextictactoe

import (
	"cmp"
	"context"
	"slices"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// threat is the strong bot. It wins when it can and blocks when it must; then it
// looks for an attack that cannot be met, and takes, of the moves that leave it
// the best windows, one that lets the other side have no such attack.
type threat struct{}

// widths and budgets by depth: how many moves are looked at, and how many may be
// tried in the search for one attack.
var (
	widths  = [Deepest + 1]int{0, 4, 8, 14, 20, 26, 32}
	budgets = [Deepest + 1]int{0, 150, 500, 2_000, 8_000, 32_000, 128_000}
)

// Move implements Bot.
func (threat) Move(ctx context.Context, q Question) Answer {
	if q.Depth == 0 {
		q.Depth = Default
	}
	q.Depth = min(max(q.Depth, Quick), Deepest)
	t := &thought{question: &q, search: search{grid: newGrid(&q), ctx: ctx}}
	return t.answer()
}

// Judge implements Bot.
func (b threat) Judge(ctx context.Context, q Question) Evaluation {
	return b.Move(ctx, q).Evaluation
}

// thought is what goes into one answer.
type thought struct {
	question *Question
	search
}

// candidate is a move that may be made, and what is thought of it.
type candidate struct {
	pair
	score float64
	winIn int // of whoever makes it; below 0: in how many moves the other side wins
}

func (t *thought) answer() Answer {
	side, other := t.question.ToMove, t.question.ToMove.Other()
	if won := t.winning(side); won != nil {
		return t.only(won, 1)
	}
	if p, n := t.deepen(side); n > 0 {
		return t.only(p[:], n)
	}
	ways, ok := t.blocks(other)
	list := t.candidates(ways)
	if len(list) == 0 { // no window is open any more
		return nearest{}.Move(t.ctx, *t.question)
	}
	for i := range list {
		if !ok {
			list[i].winIn = -1
			continue
		}
		t.play(list[i].pair, side)
		if _, n := t.deepen(other); n > 0 {
			list[i].winIn = -n
		}
		t.undo(list[i].pair)
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.score, a.score))
	})
	return t.told(list)
}

// rank is low for a good move: not losing at all, or late.
func (c *candidate) rank() int {
	if c.winIn == 0 {
		return -1000
	}
	return c.winIn
}

// deepen looks for an attack, the short ones first.
func (t *thought) deepen(side rules.Side) (p pair, winIn int) {
	t.budget = budgets[t.question.Depth]
	for moves := 2; moves <= 1+t.question.Depth && winIn == 0 && t.spend(); moves++ {
		p, winIn = t.attack(side, moves)
	}
	return p, winIn
}

// candidates are the moves worth a thought, the best first: of those that block,
// if something has to be.
func (t *thought) candidates(ways [][]cell) (list []candidate) {
	side := t.question.ToMove
	cells := t.cellsWorth(side)
	add := func(p pair) {
		if t.order(&p) {
			list = append(list, candidate{pair: p, score: t.worth(p, cells)})
		}
	}
	if len(ways) > 0 {
		for _, w := range ways {
			if len(w) == 2 {
				add(pair(w))
				continue
			}
			for _, b := range t.seconds(w[0], cells, widths[t.question.Depth]) {
				add(pair{w[0], b})
			}
		}
	} else {
		for _, a := range cells[:min(len(cells), 10)] {
			for _, b := range t.seconds(a, cells, 6) {
				add(pair{a, b})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	seen := map[pair]bool{}
	list = slices.DeleteFunc(list, func(c candidate) bool {
		key := pair{min(c.pair[0], c.pair[1]), max(c.pair[0], c.pair[1])}
		again := seen[key]
		seen[key] = true
		return again
	})
	return list[:min(len(list), widths[t.question.Depth])]
}

// enough is how many cells are looked at.
const enough = 600

// cellsWorth are the empty cells in open windows, the best for side first. Lots
// decide between equals.
func (t *thought) cellsWorth(side rules.Side) (cells []cell) {
	for n := t.win - 1; n > 0 && len(cells) < enough; n-- {
		for s := range t.open {
			for _, w := range t.open[s][n] {
				cells = t.appendEmpty(cells, w)
			}
		}
		cells = distinct(cells)
	}
	t.question.lots().Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return t.best(cells, side, len(cells))
}

// near is how many of the cells worth most are looked at again after a piece.
const near = 40

// seconds are the best cells for a second piece after the first one on a.
func (t *thought) seconds(a cell, cells []cell, n int) []cell {
	side := t.question.ToMove
	t.place(a, side)
	again := t.best(slices.Clone(cells[:min(near, len(cells))]), side, n)
	t.take(a)
	return again
}

// worth is the score after a move and the other side's best answer to it, as far
// as one can see without thinking.
func (t *thought) worth(p pair, cells []cell) float64 {
	side, other := t.question.ToMove, t.question.ToMove.Other()
	t.play(p, side)
	score := t.score[side-rules.X] - t.score[other-rules.X]
	var first, second float64
	for _, c := range cells[:min(near, len(cells))] {
		if t.cells[c].side != rules.None {
			continue
		}
		if g := t.gain(c, other); g > first {
			first, second = g, first
		} else if g > second {
			second = g
		}
	}
	t.undo(p)
	return score - first - second
}

// only is the answer when there is nothing to choose.
func (t *thought) only(move []cell, winIn int) Answer {
	if len(move) == 2 && move[0] == move[1] {
		move = move[:1]
	}
	o := Option{Pieces: t.coords(move), Evaluation: t.question.judged(0, winIn)}
	return Answer{Option: o, Considered: []Option{o}}
}

// told is the answer with the best of the candidates.
func (t *thought) told(list []candidate) (a Answer) {
	for _, c := range list {
		a.Considered = append(a.Considered, Option{t.coords(c.pair[:]), t.question.judged(c.score, c.winIn)})
	}
	a.Option = a.Considered[0]
	return a
}

func (t *thought) coords(cells []cell) (list []rules.Coord) {
	for _, c := range cells {
		list = append(list, t.cells[c].at)
	}
	return list
}
