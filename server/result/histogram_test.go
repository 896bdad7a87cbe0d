package result

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBucketsAreInOrderAndNarrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "d"))
		i := bucketOf(d)
		if next := bucketOf(d + 1); next != i && next != i+1 {
			t.Fatalf("buckets of %d and the next = %d and %d", d, i, next)
		}
		if m := middleOf(i); math.Abs(float64(m-d)) > float64(d)/32 {
			t.Fatalf("middleOf(bucketOf(%d)) = %d, want it within 1/32", d, m)
		}
	})
}

func TestQuantile(t *testing.T) {
	var h histogram
	if got := h.quantile(0.5); got != 0 {
		t.Errorf("quantile of nothing = %v, want 0", got)
	}
	var all []time.Duration
	for i := range 1000 {
		d := time.Duration(i*i) * time.Microsecond
		all = append(all, d)
		h.add(d)
	}
	slices.Sort(all)
	for _, share := range []float64{0, 0.5, 0.9, 0.99, 1} {
		want := all[min(int(share*1000), 999)]
		if got := h.quantile(share); math.Abs(float64(got-want)) > float64(want)/32 {
			t.Errorf("quantile(%v) = %v, want about %v", share, got, want)
		}
	}
	h.add(-time.Second)
	if got := h.quantile(0); got != 0 {
		t.Errorf("quantile(0) after a negative duration = %v, want 0", got)
	}
}
