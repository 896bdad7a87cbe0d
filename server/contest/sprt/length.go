package sprt

import (
	"math"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/rating"
)

// ForecastProbability is that with which a test ends within the range of a forecast.
const ForecastProbability = 0.9

// Range is a number of matches.
type Range struct{ Least, Most int }

// Length returns how many matches a test takes before it begins, with a probability of
// [ForecastProbability].
func (h Hypotheses) Length() Range { return h.forecast(0, 0) }

// Left returns how many more matches the test takes, with a probability of [ForecastProbability];
// none if it has ended.
func (t *Test) Left() Range {
	if t.verdict != Undecided {
		return Range{}
	}
	return t.hypotheses.forecast(t.ratio, t.blocks.Blocks()*float64(t.matches))
}

// forecast returns how many more matches a test with this ratio takes, after some.
//
// The ratio is taken for a Brownian motion between Wald's limits. Its time is measured in matches
// times the square of the distance d of the hypotheses, in deviations of a match: its variance is
// then that time, and its drift how far the truth is from the middle between the hypotheses, in
// units of d. The drift is not known: beforehand it is taken for normal with a deviation of 1, so
// that the truth is within twice the distance from the middle; after n matches it is normal with
// the mean ratio/(1+n d²) and the variance 1/(1+n d²).
func (h Hypotheses) forecast(ratio, matches float64) Range {
	distance := (h.NElo1 - h.NElo0) / rating.PerDeviation
	unit := float64(distance * distance)
	lower, upper := exact.Log(h.Beta/(1-h.Alpha)), exact.Log((1-h.Beta)/h.Alpha)
	ratio = min(max(ratio, lower), upper)
	information := 1 + float64(matches*unit)
	var drifts [driftNodes]float64
	for i := range drifts {
		z := exact.NormalQuantile((float64(i) + 0.5) / driftNodes)
		drifts[i] = min(max(ratio/information+z/math.Sqrt(information), -maxDrift), maxDrift)
	}
	running := func(time float64) (share float64) {
		for _, drift := range drifts {
			share += inside(upper-ratio, ratio-lower, drift, time) / driftNodes
		}
		return share
	}
	at := func(share float64) int {
		low, high := 0.0, float64(maxTime)
		for range forecastSteps {
			if middle := low + float64((high-low)/2); running(middle) > share {
				low = middle
			} else {
				high = middle
			}
		}
		return int(math.Ceil(high / unit))
	}
	tail := (1 - ForecastProbability) / 2
	return Range{Least: at(1 - tail), Most: at(tail)}
}

const (
	// driftNodes are drifts of equal probability: with 20, the ends of a forecast are those of many
	// more within some per cent.
	driftNodes = 20
	// maxDrift bounds drifts: with it a test ends within a time of 1, a sixtieth of the longest.
	maxDrift = 4
	// maxTime bounds the time: after it, one in a thousand tests goes on, whatever the drift is.
	maxTime = 60
	// forecastSteps halve maxTime to a hundred-thousandth, less than a match.
	forecastSteps = 20
	// images are those of the start at the limits, on each side, that count up to maxTime.
	images = 4
	// leastPart is the probability below which that of an image says nothing: it is as exact as
	// sums of numbers near 1 are, and its product is small.
	leastPart = 1e-12
)

// inside returns the probability that a Brownian motion with a drift and the variance 1 has not
// reached a distance above its start or one below it: the sum over the images of the start at both
// limits (D. R. Cox and H. D. Miller, "The Theory of Stochastic Processes", 1965, section 5.7).
func inside(above, below, drift, time float64) float64 {
	if above <= 0 || below <= 0 {
		return 0
	}
	if time <= 0 {
		return 1
	}
	root, sum := math.Sqrt(time), 0.0
	part := func(image float64) float64 {
		shift := image + float64(drift*time)
		p := exact.Normal((above-shift)/root) - exact.Normal((-below-shift)/root)
		if p < leastPart {
			return 0
		}
		return float64(exact.Exp(float64(drift*image)) * p)
	}
	for n := -images; n <= images; n++ {
		image := float64(float64(2*n) * (above + below))
		sum += part(image) - part(float64(2*above)-image)
	}
	return min(max(sum, 0), 1)
}
