//go:build linux

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// honestCommand is the argument that makes this program the honest bots. The address of
// the server and the number of bots follow it. They play match after match. For each line
// on standard input it prints as JSON what they saw since the previous line.
const honestCommand = "honest"

// honestName begins the nicknames of honest bots.
const honestName = "honest"

// phase is what the honest bots saw in a phase of an attack.
type phase struct {
	Turns    int     `json:"turns"`   // TURNs that all bots received
	Lost     int     `json:"lost"`    // TURNs that a bot did not receive, and matches from which it was disconnected
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
		p := &player{bots: b}
		c, err := netorcai.Dial(ctx, b.addr, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
		if err == nil {
			err = c.Play(ctx, p)
			_ = c.Close()
		}
		if err != nil && ctx.Err() == nil {
			b.count(name, p.started, err)
			harness.Pause(ctx, reconnectTime)
		}
	}
}

// count counts the error of a match. A login that is refused because a match is running is
// no loss.
func (b *bots) count(name string, started bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	kick := (*netorcai.KickError)(nil)
	switch {
	case started:
		b.phase.Lost++
	case errors.As(err, &kick) && strings.Contains(kick.Reason, "Too many connections"):
		b.phase.Refused++
	default:
		return
	}
	b.phase.Why = cmp.Or(b.phase.Why, fmt.Sprintf("%s: %v", name, err))
}

// player is an honest bot in one match. It implements netorcai.Bot, and answers at once
// with a walk.
type player struct {
	bots    *bots
	id      int
	started bool
	turn    int       // number of the last TURN, -1 before the first
	at      time.Time // its arrival
	order   []byte
}

// Start implements netorcai.Bot.
func (p *player) Start(s netorcai.GameStarts) error {
	p.id, p.turn, p.started = s.PlayerID, -1, true
	return nil
}

// Turn implements netorcai.Bot.
func (p *player) Turn(t netorcai.Turn) ([]byte, error) {
	now := time.Now()
	p.bots.mu.Lock()
	p.bots.phase.Turns++
	if p.turn >= 0 {
		p.bots.intervals = append(p.bots.intervals, harness.Milliseconds(now.Sub(p.at)))
		p.bots.phase.Lost += t.Number - p.turn - 1
	}
	p.bots.mu.Unlock()
	p.turn, p.at = t.Number, now
	p.order = fmt.Appendf(p.order[:0], `[{"id":%d,"movement":"move","direction":"%c%c"}]`, p.id, "xyz"[t.Number%3], "+-"[t.Number/3%2])
	return p.order, nil
}

// End implements netorcai.Bot.
func (p *player) End(netorcai.GameEnds) { p.started = false }
