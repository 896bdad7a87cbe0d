package main

import (
	"context"
	"time"
)

// stall is a time in which this program was kept from running: on a machine that is
// busy with other things, turns are lost for that and no bot is to blame.
type stall struct{ from, to time.Time }

func (s stall) length() time.Duration { return s.to.Sub(s.from) }

// watchStalls notes how late a timer is until ctx ends, if that is so late that it
// could cost a turn.
func (t *trial) watchStalls(ctx context.Context) {
	const often = 10 * time.Millisecond
	tick := time.NewTimer(often)
	defer tick.Stop()
	for last := time.Now(); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := time.Now()
		if s := (stall{last, now}); s.length() > 2*often {
			t.stalls = append(t.stalls, s)
		}
		last = now
		tick.Reset(often)
	}
}

func (t *trial) longestStall() (most time.Duration) {
	for _, s := range t.stalls {
		most = max(most, s.length())
	}
	return most
}

// stalledIn is how long this program was kept from running in a turn.
func (t *trial) stalledIn(from, to time.Time) (sum time.Duration) {
	for _, s := range t.stalls {
		if s.from.Before(to) && s.to.After(from) {
			sum += min(s.length(), to.Sub(from), s.to.Sub(from), to.Sub(s.from))
		}
	}
	return sum
}
