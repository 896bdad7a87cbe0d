package standings

import (
	"cmp"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// Points order the bots of a Swiss contest.
type Points struct {
	// Points are the sum of the scores of all matches. A round without a table counts as half of
	// what its matches would have been worth, as in the pairings.
	Points float64 `json:"points"`
	Rests  int     `json:"rests"` // such rounds
	// Buchholz is the sum of the points of the opponents, each counted once for a block in which
	// the two met. A rest counts like opponents that have as many points as the bot, as in the
	// rules of chess: it had no say in who they were.
	Buchholz float64 `json:"buchholz"`
	// Direct is what the bot scored, of 1, in its matches against those that have the same points
	// and the same Buchholz; nil unless all of these have met.
	Direct *float64 `json:"direct,omitempty"`
}

const swissSentence = "the order is that of the points, then of Buchholz, of the matches against " +
	"each other, and of Elo"

// noteRests counts the bots that have no match in a round, once it is over. All tables of a round
// play one block each, and there are as many as the bots suffice for.
func (s *Standings) noteRests(k int, bots []int) {
	if s.plan.Format != plan.Swiss {
		return
	}
	matches := len(s.totals) / s.plan.Seats * s.plan.Seats
	round := k/matches + 1
	for _, bot := range bots {
		s.totals[bot].Round = round
	}
	if (k+1)%matches != 0 {
		return
	}
	for bot := range s.totals {
		if s.totals[bot].Round != round {
			s.totals[bot].Rests++
		}
	}
}

// swiss holds what decides the order of a Swiss contest, of each bot. Points are in quarters of
// what a bot has for an opponent that it has beaten, so that they are integers.
type swiss struct {
	points, buchholz []int
	// what it has and could have against those that are level with it; 0 of 0: not known
	direct, of []int
}

// swiss returns what decides the order.
func (s *Standings) swiss() *swiss {
	n := len(s.totals)
	w := &swiss{make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	for bot := range s.totals {
		t := &s.totals[bot]
		w.points[bot] = 2*t.All.Halves + t.Rests*score.Most(s.plan.Seats, s.plan.Seats)
	}
	for bot := range s.totals {
		w.buchholz[bot] = s.totals[bot].Rests * (s.plan.Seats - 1) * w.points[bot]
		for other := range s.totals {
			w.buchholz[bot] += s.meetsOf(bot, other).matches() / s.plan.Seats * w.points[other]
		}
	}
	for bot := range s.totals {
		w.direct[bot], w.of[bot] = s.encounters(bot, w.level(bot))
	}
	return w
}

// level returns the bots that have as many points and the same Buchholz as a bot, with itself.
func (w *swiss) level(bot int) (list []int) {
	for other := range w.points {
		if w.points[other] == w.points[bot] && w.buchholz[other] == w.buchholz[bot] {
			list = append(list, other)
		}
	}
	return list
}

func (s *Standings) meetsOf(bot, other int) meetings { return s.meets[bot*len(s.totals)+other] }

func (m meetings) matches() int { return m.Wins + m.Ties + m.Losses }

// encounters returns what a bot has against others, and could have; nothing if some of them have
// not met.
func (s *Standings) encounters(bot int, others []int) (halves, of int) {
	for i, a := range others {
		for _, b := range others[:i] {
			if s.meetsOf(a, b).matches() == 0 {
				return 0, 0
			}
		}
		m := s.meetsOf(bot, a)
		halves += 2*m.Wins + m.Ties
		of += 2 * m.matches()
	}
	return halves, of
}

// order returns the order of bots: by points, and among equal ones by Buchholz, by their matches
// against each other and by strength.
func (w *swiss) order(fit *rating.Table) func(a, b int) int {
	direct := func(bot int) float64 { return float64(w.direct[bot]) / float64(max(w.of[bot], 1)) }
	return func(a, b int) int {
		return cmp.Or(cmp.Compare(w.points[b], w.points[a]), cmp.Compare(w.buchholz[b], w.buchholz[a]),
			cmp.Compare(direct(b), direct(a)), byStrength(fit)(a, b))
	}
}

// shown returns what the table shows of a bot.
func (w *swiss) shown(s *Standings, bot int) *Points {
	unit := float64(2 * score.Most(s.plan.Seats, 1))
	p := &Points{
		Points: points(float64(w.points[bot]) / unit), Rests: s.totals[bot].Rests,
		Buchholz: points(float64(w.buchholz[bot]) / unit),
	}
	if w.of[bot] > 0 {
		direct := share(float64(w.direct[bot]) / float64(w.of[bot]))
		p.Direct = &direct
	}
	return p
}
