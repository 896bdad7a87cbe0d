package cup

import (
	"context"
	"sync"
	"time"
)

// lagInterval is the time between two measurements of the lag: a hundred a second cost a thousandth
// of a core, and show what holds up the reading of answers, which are measured in milliseconds.
const lagInterval = 10 * time.Millisecond

// lagMeter measures how late this process wakes up when it should: that much later than they arrive
// answers may be read, so that the bots' times contain it. Up to a millisecond is what timers take
// by themselves.
type lagMeter struct {
	mu    sync.Mutex // guards the fields below
	last  time.Duration
	worst map[int]time.Duration // during each match that is played, by its number
}

// run measures until ctx ends.
func (l *lagMeter) run(ctx context.Context) {
	timer := time.NewTimer(lagInterval)
	defer timer.Stop()
	for {
		due := time.Now().Add(lagInterval)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		l.note(max(0, time.Since(due)))
		timer.Reset(lagInterval)
	}
}

func (l *lagMeter) note(late time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = late
	for k, worst := range l.worst {
		l.worst[k] = max(worst, late)
	}
}

// begin begins a match, with the lag that was measured last: it may be over before the next
// measurement.
func (l *lagMeter) begin(k int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.worst[k] = l.last
}

// end ends a match, and returns the largest lag during it.
func (l *lagMeter) end(k int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	worst := l.worst[k]
	delete(l.worst, k)
	return worst
}
