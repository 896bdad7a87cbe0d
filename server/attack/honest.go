//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// honestCommand makes this program the honest bots: ADDRESS COUNT. They play match
// after match. With each line that it reads, it prints what they saw since the line
// before, as JSON.
const honestCommand = "honest"

// honestName begins the nicknames of honest bots.
const honestName = "honest"

// phase is what honest bots saw for a while.
type phase struct {
	Turns    int     `json:"turns"`   // TURNs of all bots
	Lost     int     `json:"lost"`    // TURNs that were not sent to a bot in a match, and matches that it was thrown out of
	Refused  int     `json:"refused"` // logins for which there were too many connections
	Why      string  `json:"why"`     // the first loss
	P50, P99 float64 // ms from TURN to TURN, in one match
}

// bots are the honest bots.
type bots struct {
	addr string

	mu        sync.Mutex // guards all below
	phase     phase
	intervals []float64 // ms
}

func runHonest(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("an address and a count are needed")
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
		all.Go(func() { b.live(ctx, honestName+strconv.Itoa(i)) })
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if err := json.NewEncoder(out).Encode(b.take()); err != nil {
			return err
		}
	}
	return nil
}

// take returns what was seen since the last call.
func (b *bots) take() phase {
	b.mu.Lock()
	p, intervals := b.phase, b.intervals
	b.phase, b.intervals = phase{}, nil
	b.mu.Unlock()
	slices.Sort(intervals)
	p.P50, p.P99 = quantile(intervals, 0.50), quantile(intervals, 0.99)
	return p
}

// quantile is the value that the given share of all does not exceed; 0 for no values.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(share*float64(len(sorted)-1))]
}

// between is how long a bot waits before it comes again.
const between = 20 * time.Millisecond

// live plays match after match until ctx ends.
func (b *bots) live(ctx context.Context, name string) {
	for ctx.Err() == nil {
		p := &player{bots: b}
		err := p.visit(ctx, name)
		if err == nil || ctx.Err() != nil {
			continue
		}
		b.note(name, p.started, err)
		pause(ctx, between)
	}
}

// note notes how a visit failed. A bot that comes while a match is under way is told
// so, and comes again; that is no loss.
func (b *bots) note(name string, started bool, err error) {
	kick := (*netorcai.KickError)(nil)
	refused := !started && errors.As(err, &kick) && strings.Contains(kick.Reason, "Too many connections")
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case refused:
		b.phase.Refused++
	case started:
		b.phase.Lost++
	default:
		return
	}
	if b.phase.Why == "" {
		b.phase.Why = fmt.Sprintf("%s: %v", name, err)
	}
}

// player is an honest bot in one match. It implements netorcai.Bot: it walks about,
// and answers at once.
type player struct {
	bots    *bots
	id      int
	started bool
	turn    int       // that came last
	at      time.Time // when
	order   []byte
}

func (p *player) visit(ctx context.Context, name string) error {
	c, err := netorcai.Dial(ctx, p.bots.addr, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Play(ctx, p)
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
		p.bots.intervals = append(p.bots.intervals, milliseconds(now.Sub(p.at)))
		p.bots.phase.Lost += t.Number - p.turn - 1
	}
	p.bots.mu.Unlock()
	p.turn, p.at = t.Number, now
	p.order = fmt.Appendf(p.order[:0], `[{"id":%d,"movement":"move","direction":"%c%c"}]`, p.id, "xyz"[t.Number%3], "+-"[t.Number/3%2])
	return p.order, nil
}

// End implements netorcai.Bot.
func (p *player) End(netorcai.GameEnds) { p.started = false }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// pause waits, until ctx ends at the longest.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
