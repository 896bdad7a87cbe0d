//go:build thorough

package main

import (
	"testing"
	"time"
)

// A stall counts with the part of it that is in a turn.
func TestStalledIn(t *testing.T) {
	epoch := time.Now()
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	trial := trial{stalls: []stall{{at(0), at(4)}, {at(6), at(7)}, {at(9), at(20)}}}
	for _, tt := range []struct{ from, to, want int }{
		{2, 5, 2}, {4, 6, 0}, {5, 8, 1}, {0, 30, 16}, {10, 12, 2}, {8, 10, 1},
	} {
		if got := trial.stalledIn(at(tt.from), at(tt.to)); got != time.Duration(tt.want)*time.Second {
			t.Errorf("from %d to %d s, the program was stalled for %v, want %d s", tt.from, tt.to, got, tt.want)
		}
	}
	if got := trial.longestStall(); got != 11*time.Second {
		t.Errorf("the longest stall took %v, want 11 s", got)
	}
}
