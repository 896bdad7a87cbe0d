//go:build linux

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// honestCommand is the argument that makes this program the honest bots. The address of
// the server and the number of bots follow it. They play match after match. For each line
// on standard input it prints as JSON what they saw since the previous line.
const honestCommand = "honest"

// honestName begins the nicknames of honest bots.
const honestName = "honest"

// phase is what the honest bots saw in a phase of an attack.
type phase struct {
	Turns int `json:"turns"` // TURNs that all bots received
	// TURNs that a bot did not receive, and matches from which it was disconnected
	Lost     int     `json:"lost"`
	Refused  int     `json:"refused"` // logins refused because of too many connections
	Why      string  `json:"why"`     // the first error
	P50, P99 float64 // time from TURN to TURN of a match, in ms
}

// bots are the honest bots.
type bots struct {
	addr string

	mu        sync.Mutex // guards all below
	phase     phase
	intervals harness.Series // ms
}

func runHonest(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("give an address and a count")
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	ctx, leave := context.WithCancel(context.Background())
	b := &bots{addr: args[0]}
	var all sync.WaitGroup
	defer all.Wait()
	defer leave()
	for i := range count {
		all.Go(func() { b.run(ctx, honestName+strconv.Itoa(i)) })
	}
	return answerAll(bufio.NewScanner(in), out, func() any { return b.take() })
}

// take returns what was seen since the last call.
func (b *bots) take() phase {
	b.mu.Lock()
	p, intervals := b.phase, b.intervals
	b.phase, b.intervals = phase{}, nil
	b.mu.Unlock()
	p.P50, p.P99 = intervals.Quantile(0.50), intervals.Quantile(0.99)
	return p
}

// run plays match after match until ctx is done.
func (b *bots) run(ctx context.Context, name string) {
	for ctx.Err() == nil {
		started, err := b.playMatch(ctx, name)
		if err != nil && ctx.Err() == nil {
			b.count(name, started, err)
			harness.Pause(ctx, reconnectTime)
		}
	}
}

// count counts the error of a match. A login that is refused because a match is running is
// no loss.
func (b *bots) count(name string, started bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case started:
		b.phase.Lost++
	case errors.Is(err, harness.ErrKicked) && strings.Contains(err.Error(), "Too many connections"):
		b.phase.Refused++
	default:
		return
	}
	b.phase.Why = cmp.Or(b.phase.Why, fmt.Sprintf("%s: %v", name, err))
}

// closeTime is the time that a bot waits for the server to disconnect it after a match.
const closeTime = time.Second

// playMatch plays one match and answers at once with a walk. started reports whether the
// bot received a TURN.
func (b *bots) playMatch(ctx context.Context, name string) (started bool, err error) {
	conn, hangUp, err := harness.Dial(ctx, new(net.Dialer), b.addr)
	if err != nil {
		return false, err
	}
	defer hangUp()
	c, err := harness.Login(conn, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
	if err != nil {
		return false, err
	}
	last, at := 0, time.Time{} // the number of the last TURN, and its arrival
	var order []byte
	err = c.Play(func(turn int) ([]byte, error) {
		b.mu.Lock()
		b.phase.Turns++
		if started {
			b.intervals = append(b.intervals, harness.Milliseconds(c.Last.Sub(at)))
			b.phase.Lost += turn - last - 1
		}
		b.mu.Unlock()
		started, last, at = true, turn, c.Last
		order = fmt.Appendf(order[:0], `[{"id":%d,"movement":"move","direction":"%c%c"}]`, c.Player,
			"xyz"[turn%3], "+-"[turn/3%2])
		return order, nil
	})
	if err == nil {
		_ = conn.SetReadDeadline(time.Now().Add(closeTime))
		_, _ = io.Copy(io.Discard, conn)
	}
	return started, err
}
