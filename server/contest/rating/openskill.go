package rating

import (
	"math"

	"github.com/hexarena/hexarena/server/contest/exact"
)

// Skill is a belief about a bot's skill: a normal distribution.
type Skill struct{ Mu, Sigma float64 }

// NewSkill returns the belief before the first match. Only ratios matter: the values are those of
// TrueSkill and OpenSkill, so that figures look familiar.
func NewSkill() Skill { return Skill{Mu: 25, Sigma: 25.0 / 3} }

const (
	// performance is the deviation of a bot's performance in a match around its skill, called
	// beta by Weng and Lin: half of the first sigma, so that about three of four matches are won
	// by a bot that is one first sigma better.
	performance = 25.0 / 6
	// leastShrinkage bounds how much of a variance a match leaves, so that it remains positive
	// (kappa).
	leastShrinkage = 1e-4
)

// Update returns the skills after a match in which the bots finished with the given ranks; lower is
// better, and equal ranks are ties. It updates the skills as each match comes, for standings while
// a contest runs. They depend on the matches' order; a final table comes from [Fit].
//
// It is algorithm 4, for the Plackett-Luce model, of Weng and Lin, "A Bayesian Approximation
// Method for Online Ranking", JMLR 12 (2011), with a factor sigma/c for the variance.
// TestSkill holds the golden values of openskill.js.
func Update(skills []Skill, ranks []int) []Skill {
	squares := 0.0
	for _, s := range skills {
		squares += float64(s.Sigma*s.Sigma) + float64(performance*performance)
	}
	c := math.Sqrt(squares)
	weights := make([]float64, len(skills)) // of a bot among those that are not yet placed
	for i, s := range skills {
		weights[i] = exact.Exp(s.Mu / c)
	}
	updated := make([]Skill, len(skills))
	for i, s := range skills {
		omega, delta := 0.0, 0.0
		for q := range skills {
			if ranks[q] > ranks[i] {
				continue
			}
			rest, tied := 0.0, 0.0 // the bots that do not finish before q, and those level with it
			for j, rank := range ranks {
				if rank >= ranks[q] {
					rest += weights[j]
				}
				if rank == ranks[q] {
					tied++
				}
			}
			p := weights[i] / rest
			if i == q {
				omega += (1 - p) / tied
			} else {
				omega -= p / tied
			}
			delta += float64(p*(1-p)) / tied
		}
		variance := s.Sigma * s.Sigma
		delta = float64(delta * ((variance / float64(c*c)) * (s.Sigma / c)))
		updated[i] = Skill{
			Mu:    s.Mu + float64((variance/c)*omega),
			Sigma: s.Sigma * math.Sqrt(max(1-delta, leastShrinkage)),
		}
	}
	return updated
}
