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

// passingGame tells when four turns have passed.
type passingGame struct {
	idleGame
	turns  int
	passed chan struct{} // closed then
}

func (g *passingGame) Step(in []engine.Input) engine.Result {
	if g.turns++; g.turns == 4 {
		close(g.passed)
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
	g, answered := &passingGame{passed: make(chan struct{})}, make(chan struct{})
	m := match.New(match.Options{
		Settings: match.Settings{Turns: 1 << 30, Players: 1}, Autostart: true,
		Referee: match.Local(g), Log: zerolog.Nop(),
		Pace: func(match.Settings) match.Pace { return match.Timer(0, time.Millisecond) },
		// Of all that the match does with an answer, this is the first, and needs no further turn.
		Debug: func(engine.PlayerID, int, []byte) { close(answered) },
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
		New(&stuckConn{Conn: OverTCP(server), stuck: stuck, release: answered}, options(m)).Serve()
	}()
	c := servertest.NewClient(t, conn)
	c.SendLogin("bot", "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	<-g.passed    // by now a TURN is kept
	m.Pause(true) // the match would wait for the connection to offer it another one
	c.Send(`{"message_type":"TURN_ACK","turn_number":0,"actions":[],"debug":{}}`)
	<-stuck
	select {
	case <-answered:
	case <-time.After(30 * time.Second):
		t.Fatal("the answer does not reach the match before the next TURN is written")
	}
	c.Expect("TURN")
	c.Close()
	<-served
	stop()
	<-ended
}
