package sprt

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/rating"
)

// The probability to be between limits is that of a walk of small steps.
func TestInside(t *testing.T) {
	if got := inside(3, 3, 0, 60); got > 1e-3 {
		t.Errorf("after a long time the probability is %v", got)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct{ above, below, drift, time float64 }{
		{3, 3, 0, 5}, {1, 4, 0.5, 3}, {2, 3, -1, 1}, {4, 2, 2, 2},
	} {
		const walks, steps = 4000, 400
		stayed := 0
		for range walks {
			at, ended := 0.0, false
			for range steps {
				at += tt.drift*tt.time/steps + rng.NormFloat64()*math.Sqrt(tt.time/steps)
				ended = ended || at >= tt.above || at <= -tt.below
			}
			if !ended {
				stayed++
			}
		}
		// Walks of steps see the limits later than the motion does: some per cent.
		if got, want := inside(tt.above, tt.below, tt.drift, tt.time), float64(stayed)/walks; math.Abs(got-want) > 0.05 {
			t.Errorf("%+v: %v, want %v", tt, got, want)
		}
	}
}

// Nine of ten tests end within the forecast, before they begin and while they are played, if the
// truth is as near to the hypotheses as the forecast takes it for.
func TestForecast(t *testing.T) {
	thorough.Long(t)
	rng := rand.New(rand.NewPCG(3, 4))
	h := Hypotheses{NElo0: 0, NElo1: 60, Alpha: 0.05, Beta: 0.05}
	length := h.Length()
	tests := thorough.Size(100, 3000)
	first, later, asked := 0, 0, 0
	for range tests {
		nelo := 30 + 60*rng.NormFloat64()
		chance := 0.5 + nelo/rating.PerDeviation/2 // of a win, in matches of two
		test, err := New(h, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		matches, at, then := 0, 100, Range{}
		for test.Verdict() == Undecided {
			halves := 0
			for range 2 {
				if rng.Float64() < chance {
					halves += 2
				}
			}
			test.Add(halves)
			if matches += 2; matches == at && test.Verdict() == Undecided {
				then = test.Left()
			}
		}
		if matches >= length.Least && matches <= length.Most {
			first++
		}
		if then.Most > 0 {
			asked++
			if left := matches - at; left >= then.Least && left <= then.Most {
				later++
			}
		}
		if test.Left() != (Range{}) {
			t.Fatal("a test that has ended goes on")
		}
	}
	for name, share := range map[string]float64{"before": float64(first) / float64(tests), "after 100 matches": float64(later) / float64(asked)} {
		if share < 0.84 || share > 0.96 {
			t.Errorf("%s, %.3f of the tests end within the forecast, want 0.9", name, share)
		}
	}
	t.Logf("%+v: %d, %d of %d within", length, first, later, asked)
}
