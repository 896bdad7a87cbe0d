package sprt

import (
	"fmt"
	"math"
	"testing"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// The golden values are those of fastchess, app/tests/sprt_test.cpp, to the digits that it gives,
// and of fishtest's LLRcalc.py; the last one has four players, for which there is no other tool:
// see TestNormalizedBySearch.
func TestNormalized(t *testing.T) {
	for _, tt := range []struct {
		name            string
		blocks          score.Distribution
		matches         int
		nelo0, nelo1    float64
		want, tolerance float64
	}{
		{"pentanomial 1", score.Distribution{
			365, 16618, 36029 + 200, 16974, 390,
		}, 2, 0, 2, 2.250368, 1e-6},
		{"pentanomial 2", score.Distribution{
			127, 4883, 10311 + 401, 5150, 104,
		}, 2, -1.75, 0.25, 3.010154, 1e-6},
		{"trinomial 1", score.Distribution{36027, 68692, 36433}, 1, 0, 2, 0.92, 0.01},
		{"trinomial 2", score.Distribution{10650, 20431, 10871}, 1, -1.75, 0.25, 2.30, 0.01},
		{"four players", fourPlayers, 4, 0, 10, -3.4348, 0.00005},
		{"none", make(score.Distribution, 5), 2, 0, 10, 0, 0},
	} {
		got := Normalized(tt.blocks, tt.matches, tt.nelo0, tt.nelo1)
		if !(math.Abs(got-tt.want) <= tt.tolerance) {
			t.Errorf("%s: the ratio is %.6f, want %v", tt.name, got, tt.want)
		}
	}
}

// fourPlayers holds blocks of four matches without ties: a score is a multiple of 1/12.
var fourPlayers = score.Distribution{13, 44, 132, 229, 344, 468, 521, 441, 387, 234, 129, 52, 6}

// logistic is like [Normalized] for hypotheses on the mean score, given in Elo: a simpler
// test, which other tools have.
func logistic(blocks score.Distribution, elo0, elo1 float64) float64 {
	return ratio(blocks, func(observed, fitted []outcome, elo float64) {
		mean := 1 / (1 + exact.Exp(-elo/rating.PerNat))
		fitMean(observed, fitted, func(value float64) float64 { return value + (0.5 - mean) })
	}, elo0, elo1)
}

func TestLogistic(t *testing.T) {
	for _, tt := range []struct {
		name       string
		blocks     score.Distribution
		elo0, elo1 float64
		want       float64
	}{
		{"trinomial 1", score.Distribution{21184, 40708, 21404}, 0.5, 2.5, -1.57},
		{"trinomial 2", score.Distribution{57030, 106593, 57433}, 0, 2, -2.59},
		{"pentanomial 1", score.Distribution{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, -3.07},
		{"pentanomial 2", score.Distribution{871, 26175, 55003 + 980, 26678, 821}, 0, 2, -4.98},
	} {
		if got := logistic(tt.blocks, tt.elo0, tt.elo1); math.Abs(got-tt.want) > 0.005 {
			t.Errorf("%s: the ratio is %.6f, want %v", tt.name, got, tt.want)
		}
	}
}

// The most likely distribution with a t-value is found once more, in another way: among those with
// a given mean and second moment the most likely one is a problem with two linear conditions, which
// Newton's method on its dual solves, and the mean is then searched.
func TestNormalizedBySearch(t *testing.T) {
	for _, blocks := range []score.Distribution{fourPlayers, {3, 4, 6, 9, 2}, {1, 7, 3}} {
		for _, t1 := range []float64{0.02, 0.06, 0.2, 0.7} {
			observed := outcomes(blocks)
			fitted := make([]outcome, len(observed))
			fitDeviations(observed, fitted, t1)
			if mean, variance := moments(fitted); math.Abs(mean-t1*math.Sqrt(variance)) > 1e-12 {
				t.Errorf("%v: the fit has the t-value %v, want %v", blocks, mean/math.Sqrt(variance), t1)
			}
			got, want := likelihood(observed, fitted), searchMean(observed, t1)
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%v with t-value %v: the likelihood is %.12f, want %.12f", blocks, t1, got, want)
			}
		}
	}
}

func likelihood(observed, fitted []outcome) float64 {
	sum := 0.0
	for i, o := range observed {
		sum += o.probability * math.Log(fitted[i].probability)
	}
	return sum
}

// searchMean returns the largest likelihood among distributions with the t-value t1.
func searchMean(observed []outcome, t1 float64) float64 {
	low, high := 0.001*t1, 0.49*min(1, 2*t1)
	at := func(mean float64) float64 {
		deviation := mean / t1
		return withMoments(observed, mean, deviation*deviation+mean*mean)
	}
	const golden = 0.6180339887498949
	for high-low > 1e-12 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if at(a) > at(b) {
			high = b
		} else {
			low = a
		}
	}
	return at(low)
}

// withMoments returns the largest likelihood among distributions with these first two moments:
// the minimum of Σ p log(p / (1 + x (v-first) + y (v²-second))) over x and y, a convex function.
func withMoments(observed []outcome, first, second float64) float64 {
	x, y := 0.0, 0.0
	value := func(x, y float64) float64 {
		sum := 0.0
		for _, o := range observed {
			d := 1 + x*(o.value-first) + y*(o.value*o.value-second)
			if d <= 0 {
				return math.Inf(1)
			}
			sum += o.probability * math.Log(o.probability/d)
		}
		return -sum
	}
	for range 200 {
		var gx, gy, hxx, hxy, hyy float64
		for _, o := range observed {
			a, b := o.value-first, o.value*o.value-second
			d := 1 + x*a + y*b
			gx, gy = gx+o.probability*a/d, gy+o.probability*b/d
			hxx, hxy, hyy = hxx-o.probability*a*a/d/d, hxy-o.probability*a*b/d/d, hyy-o.probability*b*b/d/d
		}
		det := hxx*hyy - hxy*hxy
		dx, dy := -(hyy*gx-hxy*gy)/det, -(hxx*gy-hxy*gx)/det
		step := 1.0
		for math.IsInf(value(x+step*dx, y+step*dy), 1) {
			step /= 2
		}
		x, y = x+step*dx, y+step*dy
		if math.Abs(gx)+math.Abs(gy) < 1e-15 {
			break
		}
	}
	return -value(x, y)
}

// Scores that never occurred, and results on one side only, give finite ratios of the right sign.
func TestRatioIsFinite(t *testing.T) {
	for _, n := range []float64{1, 2, 30, 1e6} {
		for _, size := range []int{3, 5, 25, 61} {
			lost, drawn, won := make(score.Distribution, size), make(score.Distribution, size), make(score.Distribution, size)
			lost[0], drawn[size/2], won[size-1] = n, n, n
			for _, nelo := range []float64{1, 20, 100, 300} {
				l, d, w := Normalized(lost, 4, 0, nelo), Normalized(drawn, 4, 0, nelo), Normalized(won, 4, 0, nelo)
				if math.IsNaN(l+d+w) || math.IsInf(l, 0) || math.IsInf(d, 0) || math.IsInf(w, 0) ||
					!(l < 0 && w > 0) {
					t.Errorf("%v blocks of %d scores, 0 against %v: lost %v, drawn %v, won %v", n, size, nelo, l,
						d, w)
				}
			}
		}
	}
}

// The bits are the same on every machine: the golden values are from amd64.
func TestSameBitsEverywhere(t *testing.T) {
	got := fmt.Sprintf(
		"%x",
		[]float64{
			Normalized(fourPlayers, 4, 0, 10), Normalized(score.Distribution{3, 4, 0, 9, 2}, 2, 0, 30),
			logistic(fourPlayers, 0, 5),
		},
	)
	if got != wantBits {
		t.Errorf("the ratios are %s, want %s", got, wantBits)
	}
}

const wantBits = "[-0x1.b7a7308cbf4aap+01 0x1.128efce48347p-03 -0x1.2e378aadd4e8ap+00]"

func BenchmarkNormalized(b *testing.B) {
	for b.Loop() {
		Normalized(fourPlayers, 4, 0, 10)
	}
}
