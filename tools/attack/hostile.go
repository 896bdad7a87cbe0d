//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

// hostileCommand is the argument that makes this program the attackers. A plan as JSON
// follows it. The players play normally until standard input has a line with the name of a
// recording, which starts the attack. For each further line it prints a tally as JSON.
const hostileCommand = "hostile"

// plan describes the attackers.
type plan struct {
	Addr   string // of the bots' port
	Page   string // host and port of the page
	Crowds []crowd
}

// crowd is attackers of one kind.
type crowd struct {
	Kind  string // a key of kinds
	Count int
	// that they come from, which no other crowd uses; 0: from that of the honest bots
	Addresses int
	Every     time.Duration // interval between their first connections; 0: that of their kind
	Paths     []string      // that they request in turn; RECORDING stands for a recording's name
	Payload   string        // of players, a key of payloads; empty: they neither read nor answer
	Size      int           // of the actions of an answer, in bytes
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
	recording string        // name of the one that is requested
	begun     chan struct{} // closed when the attack begins
	all       sync.WaitGroup

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
	defer a.all.Wait()
	defer leave()
	a.start(ctx, true)
	lines := bufio.NewScanner(in)
	if !lines.Scan() {
		return nil
	}
	a.recording = strings.TrimSpace(lines.Text())
	close(a.begun)
	a.all.Go(func() { a.start(ctx, false) })
	return answerAll(lines, out, func() any {
		return tally{a.requests.Load(), a.refused.Load(), a.held.Load(), a.sent.Load()}
	})
}

// attacking reports whether the attack has begun.
func (a *attackers) attacking() bool {
	select {
	case <-a.begun:
		return true
	default:
		return false
	}
}

// start starts the players or all other crowds. A crowd begins when the connections of the
// previous one have been accepted or refused, since the order decides how many connections
// an address may have.
func (a *attackers) start(ctx context.Context, players bool) {
	for n, c := range a.Crowds {
		k := kinds[c.Kind]
		if k.plays != players {
			continue
		}
		interval := max(c.Every, k.every)
		var settled sync.WaitGroup
		settled.Add(c.Count)
		began := time.Now()
		for i := range c.Count {
			v := &visitor{attackers: a, crowd: c, kind: k, number: i, settle: sync.OnceFunc(settled.Done)}
			if c.Addresses > 0 {
				v.dialer.LocalAddr = &net.TCPAddr{
					IP: net.IPv4(127, 0, byte(1+n), byte(1+i*c.Addresses/c.Count)),
				}
			}
			if k.small {
				v.dialer.Control = smallBuffer
			}
			a.all.Go(func() { v.run(ctx) })
			// Computed from the start, since timers below a millisecond fire late.
			if ahead := time.Duration(i+1)*interval - time.Since(began); ahead > time.Millisecond {
				harness.Pause(ctx, ahead)
			}
		}
		settled.Wait()
	}
}

// visitor is one attacker. It makes one connection after another.
type visitor struct {
	*attackers
	crowd
	kind
	number  int
	dialer  net.Dialer
	payload payload      // of a player; made in its first match
	settle  func()       // called when the first connection has been accepted or refused
	conn    *net.TCPConn // the present one
}

// errRefused is the error of a request that the server refused.
var errRefused = errors.New("refused")

// run makes visits until ctx is done.
func (v *visitor) run(ctx context.Context) {
	defer v.settle()
	for ctx.Err() == nil {
		if v.attacking() {
			v.requests.Add(1)
		}
		err := v.connect(ctx)
		if err == nil {
			continue
		}
		v.settle()
		delay := v.retry
		if errors.Is(err, harness.ErrKicked) && v.attacking() {
			delay, err = returnTime, errRefused
		}
		if errors.Is(err, errRefused) {
			v.refused.Add(1)
		}
		harness.Pause(ctx, delay)
	}
}

// dialTime is the time limit of connecting.
const dialTime = 10 * time.Second

// connect makes one visit.
func (v *visitor) connect(ctx context.Context) (err error) {
	to := v.Addr
	if v.page {
		to = v.Page
	}
	v.dialer.Timeout = dialTime
	var hangUp func()
	if v.conn, hangUp, err = harness.Dial(ctx, &v.dialer, to); err != nil {
		return err
	}
	v.held.Add(1)
	defer v.held.Add(-1)
	defer hangUp()
	if !v.answered {
		v.settle()
	}
	return v.visit(v, ctx)
}

// send sends text and counts its bytes.
func (v *visitor) send(text []byte) error {
	n, err := v.conn.Write(text)
	v.sent.Add(int64(n))
	return err
}

// request sends a request for the visitor's path with more header lines.
func (v *visitor) request(header string) error {
	path := "/healthz"
	if len(v.Paths) > 0 {
		path = strings.ReplaceAll(v.Paths[v.number%len(v.Paths)], "RECORDING", v.recording)
	}
	return v.send(fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, v.Page, header))
}

// smallBuffer makes a connection's receive buffer small. The kernel's default holds whole
// answers, which would hide that a reader is slow.
func smallBuffer(_, _ string, c syscall.RawConn) (err error) {
	failed := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
	})
	return errors.Join(failed, err)
}
