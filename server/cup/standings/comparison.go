package standings

import (
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// Comparison is how much a bot is above another one, from the blocks in which both were.
type Comparison struct {
	Bot     string `json:"bot"`
	Against string `json:"against"`
	Blocks  int    `json:"blocks"`
	// Score is that of the bot against the other one alone. In a comparison it is what the test
	// counts: the score against all opponents, which are the other version, or if other bots fill
	// seats ½ plus half of what the bot's score against all is above the other version's.
	Score float64 `json:"score"`
	// Elo is the difference that gives the score, nil if results say nothing about it. If Bound is
	// not empty it is the only end of the interval, and has no error.
	Elo   *Estimate `json:"elo,omitempty"`
	Bound string    `json:"bound,omitempty"`
	// Normalised Elo is in deviations of a match. LOS is the likelihood of superiority: the
	// probability that the bot is better. Both are nil unless blocks have different scores.
	NormalisedElo *Estimate `json:"normalised_elo,omitempty"`
	LOS           *float64  `json:"los,omitempty"`
}

// Estimate is a value with half the width of its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Error float64 `json:"error,omitempty"`
}

// Spread returns the error of an Elo as text, with the value as points has it, or "or more" or "or
// less".
func (c *Comparison) Spread(points func(elo float64) string) string {
	if c.Bound != "" {
		return boundText(c.Bound)
	}
	return "± " + points(c.Elo.Error)
}

// Test is the sequential test of a comparison. The ratio is the natural logarithm of how much more
// likely the results are with NElo1 than with NElo0; the test ends near the bounds.
type Test struct {
	NElo0   float64 `json:"normalised_elo0"`
	NElo1   float64 `json:"normalised_elo1"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	Ratio   float64 `json:"log_ratio"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Verdict string  `json:"verdict"` // better, not better, equal, undecided
	// Left is a forecast of how many matches follow; nil once the test has ended.
	Left *Forecast `json:"left,omitempty"`
}

// Forecast is a range of matches with its probability.
type Forecast struct {
	Probability float64 `json:"probability"`
	Least       int     `json:"least"`
	Most        int     `json:"most"`
}

// The verdicts of a test.
const (
	Better    = "better"
	NotBetter = "not better"
	Equal     = "equal" // within the points of Elo that the contest allows
	Undecided = "undecided"
)

// compare adds the comparisons of the hero with others, and the test.
func (s *Standings) compare(t *Table, hero int, others []int) {
	if s.plan.Format == plan.Comparison && s.pointless() || s.Missing(hero) {
		others = nil
	}
	for _, other := range others {
		blocks := s.compared[[2]int{hero, other}]
		if blocks == nil || s.Missing(other) {
			continue // it fills seats, or has not met the hero in a complete block
		}
		e := rating.NewElo(blocks, s.plan.Seats)
		c := Comparison{
			Bot: s.plan.Bots[hero].Name, Against: s.plan.Bots[other].Name, Blocks: int(blocks.Blocks()),
			Score: share(e.Score),
		}
		if e.Bound != rating.Unknown {
			c.Elo = &Estimate{points(e.Elo), points(e.Error)}
			c.Bound = map[rating.Bound]string{rating.AtLeast: AtLeast, rating.AtMost: AtMost}[e.Bound]
		}
		if e.Varied {
			los := share(e.LOS)
			c.NormalisedElo, c.LOS = &Estimate{points(e.NElo), points(e.NEloError)}, &los
		}
		t.Comparisons = append(t.Comparisons, c)
	}
	if s.test == nil {
		return
	}
	ratio, lower, upper := s.test.Ratio()
	h := s.plan.Test
	t.Test = &Test{
		NElo0: h.NElo0, NElo1: h.NElo1, Alpha: h.Alpha, Beta: h.Beta,
		Ratio: points(ratio), Lower: points(lower), Upper: points(upper), Verdict: Undecided,
	}
	if left := s.test.Left(); left.Most > 0 && !s.pointless() {
		t.Test.Left = &Forecast{sprt.ForecastProbability, left.Least, left.Most}
	}
	switch s.Verdict() {
	case sprt.Undecided:
		if s.Equal() {
			t.Test.Verdict, t.Test.Left = Equal, nil
		}
	case sprt.Accepted0:
		t.Test.Verdict = NotBetter
	case sprt.Accepted1:
		t.Test.Verdict = Better
	}
}
