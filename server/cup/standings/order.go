package standings

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// reached is how far a bot has come in a knock-out: its last table, and what it had there.
type reached struct {
	Block  int `json:"block"` // the first of the table, from 1; 0 if the bot has not played
	Halves int `json:"halves"`
}

// order returns the bots, the best first, and equal ones in the order of the plan.
func (s *Standings) order(better func(a, b int) int) []int {
	order := make([]int, len(s.totals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, better)
	return order
}

// better returns how the format orders two bots: negative if a is the better one. If there is a hero, it
// is the first, and the others are ordered by score. In a Swiss contest the order is that of the scores, as
// in its pairings, in a knock-out how far each came, and in groups that of the scores of those that did not go
// on to it. Else it is that of the strengths.
func (s *Standings) better(hero int, fit *rating.Table) func(a, b int) int {
	mean := func(bot int) float64 { return s.mean(s.totals[bot].All) }
	switch {
	case hero >= 0:
		return func(a, b int) int {
			switch {
			case a == hero && b != hero:
				return -1
			case b == hero && a != hero:
				return 1
			}
			return cmp.Compare(mean(b), mean(a))
		}
	case s.plan.Format == plan.Swiss:
		return func(a, b int) int { return cmp.Or(cmp.Compare(mean(b), mean(a)), cmp.Compare(fit.Elo(b), fit.Elo(a))) }
	case s.plan.Format == plan.KnockOut, s.plan.Format == plan.Groups:
		return func(a, b int) int {
			x, y := s.reached[a], s.reached[b]
			if x.Block == 0 && y.Block == 0 && s.plan.Format == plan.Groups {
				return cmp.Or(cmp.Compare(mean(b), mean(a)), cmp.Compare(a, b))
			}
			return cmp.Or(cmp.Compare(y.Block, x.Block), cmp.Compare(y.Halves, x.Halves), cmp.Compare(a, b))
		}
	}
	return func(a, b int) int { return cmp.Compare(fit.Elo(b), fit.Elo(a)) }
}

// reach notes how far the bots of the block, which is complete, have come in a knock-out. A table plays
// its blocks one after another, and the winners' next table comes later. Of equal bots at a table the
// one that is first in the plan goes on.
func (s *Standings) reach() {
	number := s.next / s.plan.Seats
	table := slices.Sorted(slices.Values(s.block[0].Bots))
	if !slices.Equal(table, s.table) {
		s.table = table
		for _, bot := range table {
			s.reached[bot] = reached{Block: number}
		}
	}
	for _, r := range s.block {
		for seat, bot := range r.Bots {
			s.reached[bot].Halves += score.Halves(r.Ranks, seat)
		}
	}
}
