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

// listeningGame tells when four turns have passed, and when an answer has arrived.
type listeningGame struct {
	idleGame
	turns            int
	passed, answered chan struct{} // closed then
	done             bool
}

func (g *listeningGame) Step(in []engine.Input) engine.Result {
	if g.turns++; g.turns == 4 {
		close(g.passed)
	}
	for i := range in {
		if in[i].Lapse == engine.Answered && !g.done {
			g.done = true
			close(g.answered)
		}
	}
	return g.idleGame.Step(in)
}

// stuckConn reports its fourth message, the second TURN, and blocks it until released.
type stuckConn struct {
	Conn
	writes  int
	stuck   chan<- struct{}
	release <-chan struct{}
}

func (c *stuckConn) TryWrite(frame []byte) int {
	if c.writes++; c.writes == 4 {
		close(c.stuck)
		<-c.release
	}
	return c.Conn.TryWrite(frame)
}

// A late answer reaches the match before the TURN that was kept for its client is
// written.
func TestLateAnswerIsPassedOnFirst(t *testing.T) {
	g := &listeningGame{passed: make(chan struct{}), answered: make(chan struct{})}
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
	stuck := make(chan struct{})
	server, conn := pair(t)
	go func() {
		defer close(served)
		New(&stuckConn{Conn: OverTCP(server), stuck: stuck, release: g.answered}, options(m)).Serve()
	}()
	c := servertest.NewClient(t, conn)
	c.SendLogin("bot", "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	<-g.passed    // by now a TURN is kept
	m.Pause(true) // the match would wait for the connection to offer it another one
	c.Answer(0, "[]")
	<-stuck
	m.Step()
	select {
	case <-g.answered:
	case <-time.After(30 * time.Second):
		t.Fatal("the answer does not reach the match before the next TURN is written")
	}
	c.Expect("TURN")
	c.Close()
	<-served
	stop()
	<-ended
}
