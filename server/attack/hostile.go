//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// hostileCommand makes this program the attackers, by a plan as JSON. Its players
// play like others until it reads a line with the name of a recording; then the
// attack begins. With each further line it prints a tally, as JSON.
const hostileCommand = "hostile"

// plan is what the attackers do.
type plan struct {
	Addr    string // of the bots' port
	Page    string // host and port of the page
	Players players
	Readers []readers
	Silent  []silent
	Askers  []askers
	Churn   []churners
	Viewers int // that look at the match
}

// tally is what attackers have done since the attack began.
type tally struct {
	Requests int64 `json:"requests"` // connections, downloads and answers that were begun
	Refused  int64 `json:"refused"`  // of these, by the server
	Held     int64 `json:"held"`     // connections that are open now
	Sent     int64 `json:"sent"`     // bytes
}

// attackers are all of a plan's.
type attackers struct {
	plan
	recording string        // that readers ask for
	begun     chan struct{} // closed when the attack begins

	requests, refused, held, sent atomic.Int64
}

func runHostile(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("a plan is needed")
	}
	a := &attackers{begun: make(chan struct{})}
	if err := json.Unmarshal([]byte(args[0]), &a.plan); err != nil {
		return err
	}
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	defer all.Wait()
	defer leave()
	for i := range a.Players.Count {
		all.Go(func() { a.live(ctx, i) })
	}
	lines := bufio.NewScanner(in)
	if !lines.Scan() {
		return nil
	}
	a.recording = strings.TrimSpace(lines.Text())
	close(a.begun)
	for _, r := range a.Readers {
		all.Go(func() { a.read(ctx, r) })
	}
	for _, k := range a.Askers {
		all.Go(func() { a.ask(ctx, k) })
	}
	for _, c := range a.Churn {
		all.Go(func() { a.churn(ctx, c) })
	}
	all.Go(func() { a.occupy(ctx) })
	all.Go(func() { a.look(ctx) })
	for lines.Scan() {
		t := tally{a.requests.Load(), a.refused.Load(), a.held.Load(), a.sent.Load()}
		if err := json.NewEncoder(out).Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// again is how long attackers wait after a connection has failed: what they are
// refused once a second is enough to be in the way as soon as there is room.
const again = time.Second

// repeat does something again and again until ctx ends. It counts what it holds, and
// what it was refused.
func (a *attackers) repeat(ctx context.Context, do func(context.Context) error) {
	for ctx.Err() == nil {
		a.requests.Add(1)
		if err := do(ctx); errors.Is(err, errRefused) {
			a.refused.Add(1)
		}
		pause(ctx, again)
	}
}

// errRefused is what the server did not do for an attacker.
var errRefused = errors.New("refused")

// dial connects from an address of the loopback interface; empty for any. The
// connection takes little at a time, and ends with ctx.
func (a *attackers) dial(ctx context.Context, from, to string) (conn net.Conn, hangUp func(), err error) {
	d := net.Dialer{Timeout: 10 * time.Second, Control: smallBuffer}
	if from != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	conn, err = d.DialContext(ctx, "tcp", to)
	if err != nil {
		return nil, nil, err
	}
	a.held.Add(1)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return conn, func() {
		stop()
		_ = conn.Close()
		a.held.Add(-1)
	}, nil
}

// crowd has count attackers at work until ctx ends. Each comes some time after the
// one before.
func crowd(ctx context.Context, count int, every time.Duration, work func(i int)) {
	var all sync.WaitGroup
	defer all.Wait()
	began := time.Now()
	for i := range count {
		all.Go(func() { work(i) })
		// By the time that has passed, as timers of less than a millisecond are late.
		if ahead := time.Duration(i+1)*every - time.Since(began); ahead > time.Millisecond {
			pause(ctx, ahead)
		}
	}
}
