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
	// Score is that of the bot against the other one alone. In a comparison it is what the test counts:
	// the score against all opponents, which are the other version, or if other bots fill seats ½
	// plus half of what the bot's score against all is above the other version's.
	Score float64 `json:"score"`
	// Elo is the difference that gives the score. Normalised Elo is in deviations of a match.
	Elo           Estimate `json:"elo"`
	NormalisedElo Estimate `json:"normalised_elo"`
	LOS           float64  `json:"los"` // likelihood of superiority: the probability that the bot is better
}

// Estimate is a value with half the width of its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Error float64 `json:"error"`
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
	Verdict string  `json:"verdict"` // better, not better, undecided
}

// The verdicts of a test.
const (
	Better    = "better"
	NotBetter = "not better"
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
		mean, _ := blocks.Moments() // that of e is another one if all blocks are equal
		t.Comparisons = append(t.Comparisons, Comparison{
			Bot: s.plan.Bots[hero].Name, Against: s.plan.Bots[other].Name, Blocks: int(blocks.Blocks()), Score: share(mean),
			Elo: Estimate{points(e.Elo), points(e.Error)}, NormalisedElo: Estimate{points(e.NElo), points(e.NEloError)},
			LOS: share(e.LOS),
		})
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
	switch s.Verdict() {
	case sprt.Accepted0:
		t.Test.Verdict = NotBetter
	case sprt.Accepted1:
		t.Test.Verdict = Better
	}
}
