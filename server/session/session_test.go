package session

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns the two ends of a TCP connection; both are closed with the test.
func pair(t *testing.T) (server, client net.Conn) {
	t.Helper()
	l := servertest.Listen(t)
	var err error
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	return server, client
}

func options(m *match.Match) Options {
	return Options{Door: m, Meter: NoMeter{}, LoginTimeout: time.Hour, Log: zerolog.Nop()}
}

// A client that is kicked before its session runs does not have to log in first.
func TestKickBeforeServe(t *testing.T) {
	server, client := pair(t)
	s := New(OverTCP(server), options(match.New(match.Options{})))
	s.Kick(match.ErrAborted)
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.Serve()
	}()
	text, err := io.ReadAll(client)
	if err != nil || !strings.Contains(string(text), "netorcai abort") {
		t.Errorf("read %q, %v; want a KICK", text, err)
	}
	client.Close()
	<-served
}

// A client that closes the connection while it is kicked leaves no goroutine behind.
func TestKickWhileHangingUp(t *testing.T) {
	thorough.Long(t)
	m := match.New(match.Options{})
	for range 300 {
		server, client := pair(t)
		s := New(OverTCP(server), options(m))
		var both sync.WaitGroup
		both.Go(s.Serve)
		client.Close()
		s.Kick(match.ErrAborted)
		both.Wait()
	}
}

// growingGame is a game whose state is small at first and later too large to send.
type growingGame struct{ size int }

func (g *growingGame) Rules() string { return "growingGame/1" }

func (g *growingGame) Start(engine.Setup) (engine.Result, error) {
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}, nil
}

func (g *growingGame) Step([]engine.Input) engine.Result {
	g.size = 17 << 20
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}
}

func (g *growingGame) AppendState(dst []byte) []byte {
	return append(append(append(dst, `{"x":"`...), strings.Repeat("x", g.size)...), `"}`...)
}

func (g *growingGame) AppendDelta(dst []byte) []byte { return g.AppendState(dst) }

func (g *growingGame) AppendTally(dst []engine.Count,
	_ engine.PlayerID,
) []engine.Count {
	return dst
}

// A client to which a state cannot be sent is kicked with the reason, and the match goes
// on.
func TestStateTooLargeToSend(t *testing.T) {
	thorough.Full(t)
	c, ended := alone(t, &growingGame{}, zerolog.Nop(), func(c Conn) Conn { return c })
	const reason = "Cannot send TURN. content too big: size does not fit in 24 bits"
	c.ExpectKick(reason)
	c.Close()
	if e := ended(); e.Err != nil || e.Steps != 3 || e.Seats[0].Reason != reason {
		t.Errorf("match ended with %+v", e)
	}
}

// alone starts a match of three turns with one client, which has logged in. ended
// waits for the end of both.
func alone(
	t *testing.T, g engine.Game, log zerolog.Logger, over func(Conn) Conn,
) (c *servertest.Client, ended func() match.Ending) {
	t.Helper()
	m := match.New(match.Options{
		Settings: match.Settings{Turns: 3, Players: 1}, Autostart: true,
		Referee: match.Local(g), Log: log.With().Int("match", 7).Logger(),
		Pace: match.PaceSpec{}.Pace,
	})
	ending := make(chan match.Ending)
	go func() { ending <- m.Run(t.Context()) }()
	server, conn := pair(t)
	served := make(chan struct{})
	go func() {
		defer close(served)
		o := options(m)
		o.Log = log
		New(over(OverTCP(server)), o).Serve()
	}()
	c = servertest.NewClient(t, conn)
	c.SendLogin("bot", "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	return c, func() match.Ending {
		<-served
		return <-ending
	}
}

// idleGame is a game in which nothing happens.
type idleGame struct{ growingGame }

func (*idleGame) Step([]engine.Input) engine.Result {
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}
}

// panickyWriter panics at its third write.
type panickyWriter struct {
	Conn
	writes int
}

func (c *panickyWriter) TryWrite([]byte) int { return 0 }

func (c *panickyWriter) Write(frame []byte) (int, error) {
	if c.writes++; c.writes == 3 {
		panic("the wire broke")
	}
	return c.Conn.Write(frame)
}

// A panic in writing to a client ends only its session.
func TestPanicInWriting(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	var log servertest.Log
	c, ended := alone(t, &idleGame{}, zerolog.New(&log), func(c Conn) Conn { return &panickyWriter{Conn: c} })
	if m, err := c.Receive(); err != io.EOF {
		t.Errorf("in place of a TURN: %s, %v; want the end of the connection", m.Raw, err)
	}
	if e := ended(); e.Err != nil || e.Steps != 3 || e.Seats[0].Reason != kickFailed {
		t.Errorf("match ended with %+v", e)
	}
	text := log.String()
	if strings.Count(text, `"panic":"the wire broke"`) != 1 ||
		!strings.Contains(text, "panickyWriter") {
		t.Errorf("the log is %s", text)
	}
	for line := range strings.Lines(text) { // they name the match and the player
		if strings.Contains(line, "Session failed") &&
			(!strings.Contains(line, `"match":7,`) || !strings.Contains(line, `"player_id":0,`)) {
			t.Errorf("match or player is missing in %s", line)
		}
	}
}
