package standings

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// reached is how far a bot has come in a knock-out: its last round, and what it had there. All
// tables of a knock-out have the same number of seats and blocks, so that what bots had at
// different ones can be compared.
type reached struct {
	Round  int  `json:"round"` // from 1; 0 if the bot has not played
	Out    bool `json:"out"`   // it is not among those of its table that go on
	Halves int  `json:"halves"`
}

// compare returns a negative number if a bot that has reached r has come further than one that has
// reached other.
func (r reached) compare(other reached) int {
	switch {
	case r.Round != other.Round:
		return cmp.Compare(other.Round, r.Round)
	case r.Out && !other.Out:
		return 1
	case !r.Out && other.Out:
		return -1
	}
	return cmp.Compare(other.Halves, r.Halves)
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

// better returns how the format orders two bots: negative if a is the better one. Bots that were in
// none of their matches are behind all others. In a knock-out the order is how far each came, of
// those that lost in the same round what they had at their tables, and then the order of the plan,
// which is that of the seeds; in groups it is that of the scores for those that did not go on to
// the knock-out. In a Swiss contest it is that of the points, as in its pairings, with its
// tie-breaks. If one bot is compared with others it is that of the scores, and else that of the
// strengths.
func (s *Standings) better(fit *rating.Table) func(a, b int) int {
	var by func(a, b int) int
	mean := func(bot int) float64 { return s.mean(s.totals[bot].All) }
	switch {
	case s.plan.Format == plan.Swiss:
		by = s.swiss().order(fit)
	case s.plan.Format == plan.KnockOut, s.plan.Format == plan.Groups:
		by = func(a, b int) int {
			x, y := s.reached[a], s.reached[b]
			if x.Round == 0 && y.Round == 0 && s.plan.Format == plan.Groups {
				return cmp.Or(cmp.Compare(mean(b), mean(a)), cmp.Compare(a, b))
			}
			return cmp.Or(x.compare(y), cmp.Compare(a, b))
		}
	case s.hero() >= 0:
		by = func(a, b int) int { return cmp.Compare(mean(b), mean(a)) }
	default:
		by = byStrength(fit)
	}
	missing := func(bot int) int {
		if s.Missing(bot) {
			return 1
		}
		return 0
	}
	return func(a, b int) int { return cmp.Or(cmp.Compare(missing(a), missing(b)), by(a, b)) }
}

// byStrength orders bots by their strengths. Those whose strengths are printed alike are level, so
// that the last bits of a fit order no equal bots.
func byStrength(fit *rating.Table) func(a, b int) int {
	return func(a, b int) int { return cmp.Compare(points(fit.Elo(b)), points(fit.Elo(a))) }
}

// reach notes how far the bots of the block, which is complete, have come in a knock-out. A table
// plays its blocks one after another, and so do the tables of a round. Of equal bots at a table the
// one that is first in the plan goes on.
func (s *Standings) reach() {
	table := slices.Sorted(slices.Values(s.block[0].Bots))
	if !slices.Equal(table, s.table) {
		s.table = slices.Clone(table)
		s.tables++
		round, _ := slices.BinarySearch(s.rounds, s.tables)
		for _, bot := range table {
			s.reached[bot] = reached{Round: round + 1}
		}
	}
	for _, r := range s.block {
		for seat, bot := range r.Bots {
			s.reached[bot].Halves += score.Halves(r.Ranks, seat)
		}
	}
	slices.SortStableFunc(table,
		func(a, b int) int { return cmp.Compare(s.reached[b].Halves, s.reached[a].Halves) })
	for place, bot := range table {
		s.reached[bot].Out = place >= pairing.Advance(s.plan.Seats)
	}
}
