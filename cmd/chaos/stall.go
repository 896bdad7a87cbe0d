package main

import (
	"context"
	"time"
)

// stall is a time in which the machine did not run this program. Turns that are lost in a
// stall are lost to the machine, not to the server.
type stall struct{ from, to time.Time }

func (s stall) length() time.Duration { return s.to.Sub(s.from) }

// watchStalls notes when a timer fires too late, until ctx is done.
func (t *trial) watchStalls(ctx context.Context) {
	const interval = 10 * time.Millisecond
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for last := time.Now(); ; {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		now := time.Now()
		if s := (stall{last, now}); s.length() > 2*interval {
			t.stalls = append(t.stalls, s)
		}
		last = now
		timer.Reset(interval)
	}
}

// longestStall returns the length of the longest stall.
func (t *trial) longestStall() (longest time.Duration) {
	for _, s := range t.stalls {
		longest = max(longest, s.length())
	}
	return longest
}

// stalledIn returns how much of the time between from and to lay in stalls.
func (t *trial) stalledIn(from, to time.Time) (sum time.Duration) {
	for _, s := range t.stalls {
		if s.from.Before(to) && s.to.After(from) {
			sum += min(s.length(), to.Sub(from), s.to.Sub(from), to.Sub(s.from))
		}
	}
	return sum
}
