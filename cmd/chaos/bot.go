package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// kind is a kind of bot. A visit is one connection. Only the error of an honest bot's
// visit counts, since the server may close the other connections at any time.
type kind struct {
	name   string // begins the nicknames of its bots
	what   string
	uncut  bool // its connections are not cut
	visit  func(*bot, context.Context) error
	visits atomic.Int64
}

var kinds = []*kind{
	{name: "honest", what: "answers every TURN at once", uncut: true, visit: (*bot).honest},
	{name: "slow", what: "reads slowly, and answers late or too late", visit: (*bot).slow},
	{name: "silent", what: "sends nothing, before or after its LOGIN", visit: (*bot).silent},
	{name: "flood", what: "sends unsolicited answers as fast as it can", visit: (*bot).flood},
	{name: "garbage", what: "sends bytes that are no message", visit: (*bot).garbage},
	{name: "halfopen", what: "stops in the middle of an answer, and neither reads nor closes the connection", visit: (*bot).halfOpen},
	{name: "reset", what: "resets its connection", visit: (*bot).reset},
	{name: "back", what: "disconnects and reconnects", visit: (*bot).back},
	{name: "version", what: "speaks another version", visit: (*bot).version},
	{name: "giant", what: "sends giant messages", visit: (*bot).giant},
}

// bot is a client of one kind.
type bot struct {
	*kind
	trial *trial
	name  string
	addr  string
	rng   *rand.Rand
}

// run makes visits until ctx is done.
func (b *bot) run(ctx context.Context) {
	for ctx.Err() == nil {
		b.visits.Add(1)
		visit, stop := context.WithTimeout(ctx, 2*b.trial.matchTime())
		err := b.visit(b, visit)
		stop()
		if b.kind == kinds[0] {
			if err != nil && ctx.Err() == nil {
				b.trial.fail(fmt.Errorf("%s: %w", b.name, err))
			}
			continue
		}
		b.pause(ctx, 200*time.Millisecond)
	}
}

// pause waits for a random time below limit, or until ctx is done.
func (b *bot) pause(ctx context.Context, limit time.Duration) {
	harness.Pause(ctx, time.Duration(b.rng.Int64N(int64(limit))))
}

// dial connects; the connection is closed when ctx is done.
func (b *bot) dial(ctx context.Context) (conn *net.TCPConn, hangUp func(), err error) {
	return harness.Dial(ctx, new(net.Dialer), b.addr)
}

func (b *bot) login() netorcai.Login {
	return netorcai.Login{Nickname: b.name, Role: netorcai.RolePlayer}
}

// connect dials and logs in.
func (b *bot) connect(ctx context.Context) (*netorcai.Client, error) {
	return netorcai.Dial(ctx, b.addr, b.login())
}

// honest plays one match, and reports to the trial when it has a seat and when the match
// is over.
func (b *bot) honest(ctx context.Context) error {
	c, err := b.connect(ctx)
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

// back plays for a random number of turns and disconnects.
func (b *bot) back(ctx context.Context) error {
	c, err := b.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return b.play(ctx, c, 1+b.rng.IntN(2*b.trial.turns), 0)
}

// play answers the given number of TURNs, each after a random time below pause.
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
			b.pause(ctx, pause)
		}
		if err := c.Answer(ctx, turn.Number, nil); err != nil {
			return err
		}
	}
	return nil
}

// slowConn is a connection that is read slowly.
type slowConn struct {
	net.Conn
	bot *bot
	ctx context.Context
}

func (s *slowConn) Read(p []byte) (int, error) {
	s.bot.pause(s.ctx, 100*time.Millisecond)
	return s.Conn.Read(p[:min(len(p), 4<<10)])
}

// slow is a player or a visualization that reads slowly.
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
	c, err := netorcai.NewClient(ctx, &slowConn{conn, b, ctx}, login)
	if err != nil {
		return err
	}
	return b.play(ctx, c, b.trial.turns, 3*b.trial.timeout/2)
}

// silent waits until the server closes the connection.
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
	c, err := b.connect(ctx)
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
