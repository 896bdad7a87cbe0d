package rating

import (
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/score"
)

// PerNat is the number of Elo points of one unit of a logistic strength: a bot with ten times
// the strength of another one is 400 points above it.
const PerNat = 400 / exact.Ln10

// PerDeviation is the number of normalised Elo points of one standard deviation of a match's
// score. Its value makes normalised Elo equal to Elo for small differences in matches
// of two without draws, whose deviation is ½ (M. Van den Bergh, "Normalized Elo", 2021).
const PerDeviation = 800 / exact.Ln10

// level is the confidence of errors.
const level = 0.95

var deviations = exact.NormalQuantile(0.5 + level/2) // of a normal variable within level

// Bound says which end of an interval results leave open.
type Bound uint8

// The bounds.
const (
	Exact   Bound = iota // none
	AtLeast              // the upper end
	AtMost               // the lower end
	Unknown              // both
)

// Elo is how much a bot is above its opponents, from the scores of its blocks.
type Elo struct {
	Score float64 // the mean, 0 to 1
	// Varied reports whether blocks have different scores. Otherwise there is no variance from
	// which to tell how far the truth may be, so that the normalised Elo and the likelihood of
	// superiority are not known.
	Varied bool
	// Bound is AtLeast or AtMost if an end of the interval is beyond what a score can say, such as
	// that of a bot that won all: then Elo is the other end, and Error says nothing.
	Bound Bound
	// Elo is the difference of strength that gives the score, and Error half the width of its
	// 95 % interval.
	Elo, Error float64
	// Normalised Elo measures the score's distance from ½ in standard deviations of a match. It
	// says how many matches show the difference, and does not shrink when more matches are drawn.
	NElo, NEloError float64
	// LOS is the likelihood of superiority: the probability that the bot is better, if all
	// differences were equally probable beforehand.
	LOS float64
}

// NewElo returns the estimate from the scores of blocks with this many matches each. All its
// figures are finite. It follows fastchess'
// elo_pentanomial.cpp; TestElo has its golden values.
func NewElo(blocks score.Distribution, matches int) Elo {
	n := blocks.Blocks()
	if n == 0 {
		return Elo{Score: 0.5, LOS: 0.5, Bound: Unknown}
	}
	mean, variance := blocks.Moments()
	none := func(count float64) bool { return count == 0 }
	if different := slices.DeleteFunc(slices.Clone(blocks), none); len(different) < 2 {
		return alike(mean, n)
	}
	standardError := math.Sqrt(variance / n)
	of := float64(deviations * standardError)
	played := n * float64(matches)
	e := Elo{
		Score:     mean,
		Varied:    true,
		Elo:       FromScore(mean),
		Error:     (FromScore(mean+of) - FromScore(mean-of)) / 2,
		NElo:      PerDeviation * ((mean - 0.5) / math.Sqrt(float64(float64(matches)*variance))),
		NEloError: PerDeviation * (deviations / math.Sqrt(played)),
		LOS:       exact.Normal((mean - 0.5) / standardError),
	}
	switch above, below := mean+of > 1-certainty, mean-of < certainty; {
	case above && below:
		e.Bound = Unknown
	case above:
		e.Bound, e.Elo, e.Error = AtLeast, FromScore(mean-of), 0
	case below:
		e.Bound, e.Elo, e.Error = AtMost, FromScore(mean+of), 0
	}
	return e
}

// Within reports whether blocks show that a bot differs from its opponents by at most this many
// points; it is wrong with at most the given probability if it differs by more. Without any
// variance that is never certain.
func Within(blocks score.Distribution, elo, probability float64) bool {
	n := blocks.Blocks()
	if n < 2 {
		return false
	}
	mean, variance := blocks.Moments()
	margin := float64(exact.NormalQuantile(1-float64(probability/2)) * math.Sqrt(variance/n))
	return variance > 0 && FromScore(mean+margin) <= elo && FromScore(mean-margin) >= -elo
}

// alike returns the estimate from n blocks that all have the same score: a bound if that is all or
// nothing, and there is more than one. Whatever a block that is not won may score, the probability
// of another one like these is at least the n-th root of what is taken for impossible, and so is
// the mean score.
func alike(score, n float64) Elo {
	e := Elo{Score: score, LOS: 0.5, Bound: Unknown}
	least := exact.Exp(exact.Log(1-level) / n)
	switch {
	case n < 2:
	case score == 1:
		e.Bound, e.Elo = AtLeast, FromScore(least)
	case score == 0:
		e.Bound, e.Elo = AtMost, FromScore(1-least)
	}
	return e
}

// certainty bounds scores that are converted to Elo: beyond it, 1 200 points, a
// difference says nothing more. It is that of fishtest's stat_util.py.
const certainty = 1e-3

// FromScore returns the difference in Elo at which a bot has the given mean score in matches
// of two, from -1 200 to 1 200.
func FromScore(score float64) float64 {
	score = min(max(score, certainty), 1-certainty)
	return float64(-PerNat * exact.Log(1/score-1))
}
