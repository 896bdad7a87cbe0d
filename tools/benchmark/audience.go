package main

import (
	"errors"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

// audience is all viewers of a match and what they receive while it is measured.
type audience struct {
	harness.Audience
	measuring atomic.Bool
	wholes    atomic.Int64 // turns that came as a complete state

	mu sync.Mutex
	// of the match, if a turn had arrived at a viewer without delay; for each turn and viewer
	starts []time.Time
	lost   []error
}

// turn matches the beginning of a turn's event. Its time counts from the start of the
// match, by the server's clock.
var turn = regexp.MustCompile(`^{"type":"turn","turn":\d+,"at_ms":(\d+),"(delta|state)"`)

// read reads a viewer's events until the connection is closed.
func (a *audience) read(v *harness.Viewer) {
	var mine []time.Time
	head := make([]byte, 128)
	message, err := v.Next()
	for ; err == nil; message, err = v.Next() {
		n, _ := io.ReadFull(message, head)
		found := turn.FindSubmatch(head[:n])
		if found == nil || !a.measuring.Load() {
			continue
		}
		ms, _ := strconv.Atoi(string(found[1]))
		mine = append(mine, time.Now().Add(-time.Duration(ms)*time.Millisecond))
		if string(found[2]) == "state" {
			a.wholes.Add(1)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.starts = append(a.starts, mine...)
	if a.measuring.Load() && !errors.Is(err, net.ErrClosed) {
		a.lost = append(a.lost, err)
	}
}

// sight is what an audience received.
type sight struct {
	// of each turn at each viewer, against the fastest delivery of any turn to any viewer, in ms
	delay  harness.Series
	wholes int64 // turns that came as a complete state
	bytes  int64 // of all that came
	lost   int   // viewers
}

// sight disconnects the viewers and returns what they received.
func (a *audience) sight() (s sight, err error) {
	s.bytes, s.wholes = a.Bytes.Load(), a.wholes.Load()
	a.Disconnect()
	if s.lost = len(a.lost); len(a.starts) == 0 {
		return s, errors.Join(append(a.lost, errors.New("no viewer received a turn"))...)
	}
	first := slices.MinFunc(a.starts, time.Time.Compare)
	for _, start := range a.starts {
		s.delay = append(s.delay, harness.Milliseconds(start.Sub(first)))
	}
	return s, nil
}
