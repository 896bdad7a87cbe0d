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

	"github.com/hexarena/hexarena/server/harness"
)

// hostileCommand is the argument that makes this program the attackers. A plan as JSON
// follows it. The players play normally until standard input has a line with the name of a
// recording, which starts the attack. For each further line it prints a tally as JSON.
const hostileCommand = "hostile"

// plan describes the attackers.
type plan struct {
	Addr    string // of the bots' port
	Page    string // host and port of the page
	Players players
	Readers []readers
	Silent  []silent
	Askers  []askers
	Churn   []churners
	Viewers int // of the match
}

// tally counts what the attackers have done since the attack began.
type tally struct {
	Requests int64 `json:"requests"` // connections, downloads and answers
	Refused  int64 `json:"refused"`  // requests that the server refused
	Held     int64 `json:"held"`     // open connections
	Sent     int64 `json:"sent"`     // bytes
}

// attackers are the attackers of a plan.
type attackers struct {
	plan
	recording string        // name of the one that readers request
	begun     chan struct{} // closed when the attack begins

	requests, refused, held, sent atomic.Int64
}

func runHostile(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("give a plan")
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
		all.Go(func() { a.run(ctx, i) })
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
	all.Go(func() { a.watch(ctx) })
	for lines.Scan() {
		t := tally{a.requests.Load(), a.refused.Load(), a.held.Load(), a.sent.Load()}
		if err := json.NewEncoder(out).Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// retryTime is the time between the end of an attacker's connection and its next one:
// short enough to take every place that becomes free.
const retryTime = time.Second

// repeat calls do until ctx is done. It counts the requests, and those that were refused.
func (a *attackers) repeat(ctx context.Context, do func(context.Context) error) {
	for ctx.Err() == nil {
		a.requests.Add(1)
		if err := do(ctx); errors.Is(err, errRefused) {
			a.refused.Add(1)
		}
		harness.Pause(ctx, retryTime)
	}
}

// errRefused is the error of a request that the server refused.
var errRefused = errors.New("refused")

// dial connects from an address of the loopback interface, any if it is empty. The
// connection has a small receive buffer and is closed when ctx is done.
func (a *attackers) dial(ctx context.Context, from, to string) (conn net.Conn, hangUp func(), err error) {
	d := net.Dialer{Timeout: 10 * time.Second, Control: smallBuffer}
	if from != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	c, hangUp, err := harness.Dial(ctx, &d, to)
	if err != nil {
		return nil, nil, err
	}
	a.held.Add(1)
	return c, func() {
		hangUp()
		a.held.Add(-1)
	}, nil
}

// runCrowd runs work for count attackers, which start at the given interval, and waits for
// them.
func runCrowd(ctx context.Context, count int, interval time.Duration, work func(i int)) {
	var all sync.WaitGroup
	defer all.Wait()
	began := time.Now()
	for i := range count {
		all.Go(func() { work(i) })
		// Computed from the start, since timers below a millisecond fire late.
		if ahead := time.Duration(i+1)*interval - time.Since(began); ahead > time.Millisecond {
			harness.Pause(ctx, ahead)
		}
	}
}
