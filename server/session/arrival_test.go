package session

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// listener is a game that says when a few turns have passed, and when an answer has come.
type listener struct {
	steady
	turns         int
	passed, heard chan struct{} // closed
	done          bool
}

func (g *listener) Step(in []engine.Input) engine.Result {
	if g.turns++; g.turns == 4 {
		close(g.passed)
	}
	for i := range in {
		if in[i].Lapse == engine.Answered && !g.done {
			g.done = true
			close(g.heard)
		}
	}
	return g.steady.Step(in)
}

// stuckConn does not write its fourth message, the second TURN, before it may.
type stuckConn struct {
	Conn
	writes  int
	release <-chan struct{}
}

func (c *stuckConn) TryWrite(frame []byte) int {
	if c.writes++; c.writes == 4 {
		<-c.release
	}
	return c.Conn.TryWrite(frame)
}

// A late answer counts from when it came, not from when the TURN has been written that
// was kept for its client.
func TestLateAnswerIsHandedInFirst(t *testing.T) {
	g := &listener{passed: make(chan struct{}), heard: make(chan struct{})}
	m := match.New(match.Options{
		Settings: match.Settings{Turns: 1 << 30, Players: 1}, Autostart: true, Referee: match.Local(g), Log: zerolog.Nop(),
		Pace: func(match.Settings) match.Pace { return match.Timer(0, time.Millisecond) },
	})
	ctx, stop := context.WithCancel(t.Context())
	ended, served := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		m.Run(ctx)
	}()
	server, conn := pair(t)
	go func() {
		defer close(served)
		New(&stuckConn{Conn: OverTCP(server), release: g.heard}, options(m)).Serve()
	}()
	c := servertest.NewClient(t, conn)
	c.SendLogin("bot", "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	<-g.passed // a TURN is kept
	c.Answer(0, "[]")
	select {
	case <-g.heard:
	case <-time.After(30 * time.Second):
		t.Fatal("an answer is not heard before the next TURN is written")
	}
	c.Expect("TURN")
	c.Close()
	<-served
	stop()
	<-ended
}
