package sprt

import (
	"math"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// outcome is one block score, measured from the one that equal bots have, with its probability.
type outcome struct{ value, probability float64 }

// Normalized returns the logarithm of the generalised likelihood ratio of two hypotheses on
// the normalised Elo: the likelihood of the blocks under the distribution that
// explains them best among those with nelo1, over the same for nelo0. Each block has the
// given number of matches. The result is 0 if there are no blocks.
//
// A normalised Elo of a match is a t-value, its mean's distance from ½ in standard deviations, and
// the mean of a block of m matches has a t-value √m times as large. The maximum likelihood
// estimate is that of M. Van den Bergh, "Comments on Normalized Elo"
// (normalized_elo_practical.pdf, section 4.1), for any number of scores in place of fishtest's
// five. TestNormalized has the golden values.
func Normalized(blocks score.Distribution, matches int, nelo0, nelo1 float64) float64 {
	scale := math.Sqrt(float64(matches)) / rating.PerDeviation
	return ratio(blocks, func(observed, fitted []outcome, nelo float64) {
		fitDeviations(observed, fitted, nelo*scale)
	}, nelo0, nelo1)
}

// ratio returns the logarithm of the likelihood ratio of two fits to the blocks.
func ratio(
	blocks score.Distribution, fit func(observed, fitted []outcome, hypothesis float64), h0,
	h1 float64,
) float64 {
	if blocks.Blocks() == 0 {
		return 0
	}
	observed := outcomes(blocks.Regular())
	fitted := [2][]outcome{make([]outcome, len(observed)), make([]outcome, len(observed))}
	fit(observed, fitted[0], h0)
	fit(observed, fitted[1], h1)
	sum := 0.0
	for i, o := range observed {
		sum += float64(o.probability * exact.Log(fitted[1][i].probability/fitted[0][i].probability))
	}
	return float64(blocks.Regular().Blocks() * sum)
}

// outcomes returns the empirical distribution of the blocks.
func outcomes(blocks score.Distribution) []outcome {
	n := blocks.Blocks()
	list := make([]outcome, len(blocks))
	for i, count := range blocks {
		list[i] = outcome{blocks.Value(i) - 0.5, count / n}
	}
	return list
}

// maxIterations and converged end the iteration of fitDeviations. Each iteration reduces the
// error by some three digits for bounds of 20 normalised Elo, so that five suffice.
const (
	maxIterations = 50
	converged     = 1e-12
)

// stride is how far fitDeviations moves its t-value at once. The linearisation around a uniform
// distribution has solutions for t-values up to 0.8, and bounds that are in use are below 0.5.
const stride = 0.5

// fitDeviations sets fitted to the distribution on the observed values that makes the
// observed one most likely among those whose mean is t standard deviations. The condition on
// mean and deviation is not linear, so each iteration replaces it by its linearisation at the last
// fit; the first is at the uniform distribution.
func fitDeviations(observed, fitted []outcome, t float64) {
	for i, o := range observed {
		fitted[i] = outcome{o.value, 1 / float64(len(observed))}
	}
	strides := math.Ceil(math.Abs(t) / stride)
	for i := 1.0; i <= strides; i++ {
		refitDeviations(observed, fitted, t*(i/strides))
	}
	if strides == 0 {
		fitMean(observed, fitted, func(value float64) float64 { return value })
	}
}

// refitDeviations is fitDeviations from a distribution whose t-value is near t.
func refitDeviations(observed, fitted []outcome, t float64) {
	for range maxIterations {
		mean, variance := moments(fitted)
		deviation := math.Sqrt(variance)
		change := fitMean(observed, fitted, func(value float64) float64 {
			z := (mean - value) / deviation
			return value - float64(float64(t*deviation)*(1+float64(z*z))/2)
		})
		if change < converged {
			return
		}
	}
}

// fitMean sets fitted to the distribution on the observed values that makes the observed
// one most likely among those in which f has the mean 0, and returns the largest change of a
// probability. It is proposition 1.1 of Van den Bergh, support_MLE_multinomial.pdf: the
// probabilities are divided by 1 + x f, with the x that solves Σ p f / (1 + x f) = 0. F must be
// negative for some values and positive for others.
func fitMean(observed, fitted []outcome, f func(value float64) float64) (change float64) {
	values := make([]outcome, len(observed))
	for i, o := range observed {
		values[i] = outcome{f(o.value), o.probability}
	}
	x := secular(values)
	for i, o := range observed {
		p := o.probability / (1 + float64(x*values[i].value))
		change = max(change, math.Abs(p-fitted[i].probability))
		fitted[i] = outcome{o.value, p}
	}
	return change
}

// secular returns the x at which Σ p v / (1 + x v) is 0 and all denominators are positive. The sum
// falls from infinity to minus infinity between the poles of the smallest and the largest value,
// so Newton's method, with bisection where it leaves the interval, finds the only zero. If all
// values are on one side, no zero exists, and secular returns 0, which leaves the distribution as
// it is.
func secular(values []outcome) float64 {
	least, most := 0.0, 0.0
	for _, v := range values {
		least, most = min(least, v.value), max(most, v.value)
	}
	if least == 0 || most == 0 {
		return 0
	}
	low, high := -1/most, -1/least
	x := 0.0
	for range maxSteps {
		sum, slope := 0.0, 0.0
		for _, v := range values {
			share := v.value / (1 + float64(x*v.value))
			sum += float64(v.probability * share)
			slope -= float64(v.probability * float64(share*share))
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
		next := x - sum/slope
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		if math.Abs(next-x) <= precision*max(math.Abs(x), 1) || next == low || next == high {
			return next
		}
		x = next
	}
	return x
}

// maxSteps bounds Newton's method in secular: bisection alone, of an interval that a small count
// makes 10^9 times as wide as the distance of its zero from an end, takes 80 steps.
const maxSteps = 100

// precision ends Newton's method, which has squared the error before it: a few units of the
// last place.
const precision = 1e-15

func moments(distribution []outcome) (mean, variance float64) {
	for _, o := range distribution {
		mean += float64(o.value * o.probability)
	}
	for _, o := range distribution {
		deviation := o.value - mean
		variance += float64(o.probability * float64(deviation*deviation))
	}
	return mean, variance
}
