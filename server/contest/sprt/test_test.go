package sprt

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/score"
)

var ordinary = Hypotheses{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.05}

// A bot that always wins is better, one that always loses is not, and blocks after the decision
// change nothing.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		halves int
		want   Verdict
	}{{24, Accepted1}, {0, Accepted0}} {
		test, err := New(ordinary, score.Most(4, 4), 4)
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			if test.Add(tt.halves) != Undecided {
				break
			}
		}
		blocks := test.Blocks().Blocks()
		if test.Add(12); test.Verdict() != tt.want || test.Blocks().Blocks() != blocks {
			t.Errorf("%d halves of 24: verdict %v after %v blocks, then %v; want %v", tt.halves,
				test.Verdict(), blocks, test.Blocks().Blocks(), tt.want)
		}
	}
}

// The correction shortens a test: the ratio stops between Wald's limits, but not far from them.
func TestOvershoot(t *testing.T) {
	thorough.Long(t)
	rng := rand.New(rand.NewPCG(1, 2))
	inside := 0
	for range 100 {
		test, err := New(ordinary, score.Most(4, 4), 4)
		if err != nil {
			t.Fatal(err)
		}
		for test.Verdict() == Undecided {
			test.Add(rng.IntN(25))
		}
		ratio, lower, upper := test.Ratio()
		if ratio < lower-0.5 || ratio > upper+0.5 {
			t.Errorf("the test stopped at %.3f, far outside of %.3f to %.3f", ratio, lower, upper)
		}
		if ratio > lower && ratio < upper {
			inside++
		}
	}
	if inside < 10 {
		t.Errorf("%d of 100 tests stopped between the limits, want some", inside)
	}
	var o overshoot
	for _, ratio := range []float64{1, 0.5, 3, 2} {
		o.add(ratio)
	}
	if want := (1.0 + 4) / 3 / 2; math.Abs(o.mean()-want) > 1e-15 {
		t.Errorf("records 1 and 3 have the mean excess %v, want %v", o.mean(), want)
	}
}

func TestHypotheses(t *testing.T) {
	if err := ordinary.Check(); err != nil {
		t.Error(err)
	}
	for _, h := range []Hypotheses{
		{NElo0: 30, NElo1: 0, Alpha: 0.05, Beta: 0.05},
		{NElo0: 0, NElo1: 0, Alpha: 0.05, Beta: 0.05},
		{NElo0: 0, NElo1: 1000, Alpha: 0.05, Beta: 0.05},
		{NElo0: 0, NElo1: 30, Alpha: 0, Beta: 0.05},
		{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.5},
		{NElo0: 0, NElo1: math.NaN(), Alpha: 0.05, Beta: 0.05},
	} {
		if _, err := New(h, 4, 2); err == nil {
			t.Errorf("New accepts %+v", h)
		}
	}
	if _, err := New(ordinary, 0, 1); err == nil {
		t.Error("New accepts matches of one player")
	}
}

func TestLooks(t *testing.T) {
	total := 0.0
	for j, want := range []int{16, 32, 64, 128} {
		blocks, spent := Look(j+1, 0.05)
		if blocks != want || math.Abs(spent-0.05/float64((j+1)*(j+2))) > 1e-18 || LookAt(blocks) != j+1 ||
			LookAt(blocks+1) != 0 {
			t.Errorf("look %d takes place after %d blocks and spends %v", j+1, blocks, spent)
		}
	}
	for j := 1; j <= maxLooks; j++ {
		_, spent := Look(j, 0.05)
		total += spent
	}
	if total > 0.05 {
		t.Errorf("all looks together spend %v, more than 0.05", total)
	}
	if LookAt(0) != 0 || LookAt(15) != 0 {
		t.Error("a look takes place before the first")
	}
}
