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

	"github.com/hexarena/hexarena/server/harness"
)

// audience is all viewers and what they receive while it is measured.
type audience struct {
	harness.Audience
	measuring atomic.Bool
	wholes    atomic.Int64 // turns that came as a complete state

	mu     sync.Mutex
	starts []time.Time // of the match, if a turn had arrived at a viewer without delay; for each turn and viewer
	lost   []error
}

// measure begins the measurement.
func (a *audience) measure() {
	a.Bytes.Store(0)
	a.measuring.Store(true)
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

// summary is what an audience received.
type summary struct {
	Viewers int `json:"viewers"`
	Lost    int `json:"lost"`
	Turns   int `json:"turns_seen"`
	Whole   int `json:"turns_whole"`
	Delay   struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
		Max float64 `json:"max"`
	} `json:"delay_ms"`
	BytesPerViewer int `json:"bytes_per_viewer"`
	BytesPerTurn   int `json:"bytes_per_turn"`
	Memory         int `json:"memory_per_viewer,omitempty"` // bytes
}

var errNoTurn = errors.New("no viewer received a turn")

// summarize disconnects the viewers and sums up what they received.
func (a *audience) summarize(viewers int) (s summary, err error) {
	bytes := int(a.Bytes.Load())
	a.Disconnect()
	if len(a.starts) == 0 {
		return s, errors.Join(append(a.lost, errNoTurn)...)
	}
	first := slices.MinFunc(a.starts, time.Time.Compare)
	var delays harness.Series
	for _, start := range a.starts {
		delays = append(delays, harness.Milliseconds(start.Sub(first)))
	}
	s.Viewers, s.Lost, s.Turns, s.Whole = viewers, len(a.lost), len(a.starts), int(a.wholes.Load())
	s.Delay.P50, s.Delay.P99, s.Delay.Max = delays.Quantile(0.5), delays.Quantile(0.99), delays.Quantile(1)
	s.BytesPerViewer, s.BytesPerTurn = bytes/s.Viewers, bytes/s.Turns
	return s, nil
}
