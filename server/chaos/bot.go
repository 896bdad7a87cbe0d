package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// kind is a way to behave. A visit lasts from one connection to its end; but for
// the honest, nobody minds how it ends, as the server may hang up at any time.
type kind struct {
	name   string // begins the nicknames of its bots
	what   string
	direct bool // its connections are not cut
	visit  func(*bot, context.Context) error
	visits atomic.Int64
}

var kinds = []*kind{
	{name: "honest", what: "answers every TURN at once", direct: true, visit: (*bot).honest},
	{name: "slow", what: "reads little by little, and answers late or too late", visit: (*bot).slow},
	{name: "silent", what: "says nothing, before or after its LOGIN", visit: (*bot).silent},
	{name: "flood", what: "answers what it was not asked, as fast as it can", visit: (*bot).flood},
	{name: "garbage", what: "sends what is no message", visit: (*bot).garbage},
	{name: "halfopen", what: "stops in the middle of an answer, and neither reads nor hangs up", visit: (*bot).halfOpen},
	{name: "reset", what: "resets its connection", visit: (*bot).reset},
	{name: "back", what: "hangs up and comes back", visit: (*bot).back},
	{name: "version", what: "speaks another version", visit: (*bot).version},
	{name: "giant", what: "sends giant messages", visit: (*bot).giant},
}

// bot is one of a kind.
type bot struct {
	*kind
	trial *trial
	name  string
	addr  string
	rng   *rand.Rand
}

// live visits again and again, until ctx ends.
func (b *bot) live(ctx context.Context) {
	for ctx.Err() == nil {
		b.visits.Add(1)
		visit, stop := context.WithTimeout(ctx, 2*b.trial.longest())
		err := b.visit(b, visit)
		stop()
		if b.kind == kinds[0] {
			if err != nil && ctx.Err() == nil {
				b.trial.fail(fmt.Errorf("%s: %w", b.name, err))
			}
			continue
		}
		b.rest(ctx, 200*time.Millisecond)
	}
}

// rest waits for up to most.
func (b *bot) rest(ctx context.Context, most time.Duration) {
	t := time.NewTimer(time.Duration(b.rng.Int64N(int64(most))))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// dial connects; the connection ends with ctx.
func (b *bot) dial(ctx context.Context) (conn *net.TCPConn, hangUp func(), err error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", b.addr)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	return c.(*net.TCPConn), func() {
		stop()
		_ = c.Close()
	}, nil
}

func (b *bot) login() netorcai.Login {
	return netorcai.Login{Nickname: b.name, Role: netorcai.RolePlayer}
}

// enter connects and logs in.
func (b *bot) enter(ctx context.Context) (*netorcai.Client, error) {
	return netorcai.Dial(ctx, b.addr, b.login())
}

// honest plays one match. It takes part in the count of those who are there and
// of those who came to the end.
func (b *bot) honest(ctx context.Context) error {
	c, err := b.enter(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	b.trial.seated <- struct{}{}
	starts, err := c.Start(ctx)
	if err != nil {
		return fmt.Errorf("waiting for the start: %w", err)
	}
	var order []byte
	for next := 0; ; next++ {
		turn, _, err := c.Next(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("waiting for TURN %d: %w", next, err)
		case turn == nil && next == b.trial.turns-1: // the first turn is played without players
			b.trial.done <- struct{}{}
			return nil
		case turn == nil || turn.Number != next:
			return fmt.Errorf("waiting for TURN %d: received %+v", next, turn)
		}
		order = fmt.Appendf(order[:0], `[{"id":%d,"movement":"move","direction":"%c%c"}]`,
			starts.PlayerID, "xyz"[b.rng.IntN(3)], "+-"[b.rng.IntN(2)])
		if err := c.Answer(ctx, turn.Number, order); err != nil {
			return fmt.Errorf("answering TURN %d: %w", next, err)
		}
	}
}

// back plays, and hangs up now and then.
func (b *bot) back(ctx context.Context) error {
	c, err := b.enter(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return b.play(ctx, c, 1+b.rng.IntN(2*b.trial.turns), 0)
}

// play answers so many TURNs, each after up to a pause.
func (b *bot) play(ctx context.Context, c *netorcai.Client, turns int, pause time.Duration) error {
	if _, err := c.Start(ctx); err != nil {
		return err
	}
	for range turns {
		turn, _, err := c.Next(ctx)
		if err != nil || turn == nil {
			return err
		}
		if pause > 0 {
			b.rest(ctx, pause)
		}
		if err := c.Answer(ctx, turn.Number, nil); err != nil {
			return err
		}
	}
	return nil
}

// sip is a connection that is read little by little.
type sip struct {
	net.Conn
	bot *bot
	ctx context.Context
}

func (s *sip) Read(p []byte) (int, error) {
	s.bot.rest(s.ctx, 100*time.Millisecond)
	return s.Conn.Read(p[:min(len(p), 4<<10)])
}

// slow is a player or looks on.
func (b *bot) slow(ctx context.Context) error {
	conn, hangUp, err := b.dial(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	_ = conn.SetReadBuffer(4 << 10)
	login := b.login()
	if b.rng.IntN(2) == 0 {
		login.Role = netorcai.RoleVisualization
	}
	c, err := netorcai.NewClient(ctx, &sip{conn, b, ctx}, login)
	if err != nil {
		return err
	}
	return b.play(ctx, c, b.trial.turns, 3*b.trial.timeout/2)
}

// silent waits until the server hangs up.
func (b *bot) silent(ctx context.Context) error {
	if b.rng.IntN(2) == 0 {
		conn, hangUp, err := b.dial(ctx)
		if err != nil {
			return err
		}
		defer hangUp()
		_, err = conn.Read(make([]byte, 1))
		return err
	}
	c, err := b.enter(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Start(ctx)
	for err == nil {
		_, _, err = c.Next(ctx)
	}
	return err
}
