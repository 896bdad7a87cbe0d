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
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair is the two ends of a TCP connection; both are closed with the test.
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
	return Options{Door: m, Codec: NewCodec(), Meter: NoMeter{}, LoginTimeout: time.Hour, Log: zerolog.Nop()}
}

// Whoever is kicked before its session runs does not have to log in first.
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

// Whoever hangs up and is kicked at the same moment leaves nothing behind.
func TestKickWhileHangingUp(t *testing.T) {
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

// swelling is a game whose state is small at first and too large to send later.
type swelling struct{ size int }

func (g *swelling) Rules() string { return "swelling/1" }

func (g *swelling) Start(engine.Setup) (engine.Result, error) {
	return engine.Result{Await: engine.Everyone, Winner: engine.Nobody}, nil
}

func (g *swelling) Step([]engine.Input) engine.Result {
	g.size = 17 << 20
	return engine.Result{Await: engine.Everyone, Winner: engine.Nobody}
}

func (g *swelling) AppendState(dst []byte) []byte {
	return append(append(append(dst, `{"x":"`...), strings.Repeat("x", g.size)...), `"}`...)
}

func (g *swelling) AppendDelta(dst []byte) []byte { return g.AppendState(dst) }

func (g *swelling) AppendTally(dst []engine.Count, _ engine.PlayerID) []engine.Count { return dst }

// A state that cannot be sent costs the client its seat, with the reason, and
// the match goes on.
func TestStateTooLargeToSend(t *testing.T) {
	c, ended := alone(t, &swelling{}, zerolog.Nop(), func(c Conn) Conn { return c })
	const reason = "Cannot send TURN. content too big: size does not fit in 24 bits"
	c.ExpectKick(reason)
	c.Close()
	if e := ended(); e.Err != nil || e.Steps != 3 || e.Seats[0].Reason != reason {
		t.Errorf("match ended with %+v", e)
	}
}

// alone starts a match of three turns for one client, which has logged in. ended
// waits for the ends of both.
func alone(t *testing.T, g engine.Game, log zerolog.Logger, over func(Conn) Conn) (c *servertest.Client, ended func() match.Ending) {
	t.Helper()
	m := match.New(match.Options{
		Settings: match.Settings{Turns: 3, Players: 1}, Autostart: true,
		Referee: match.Local(g), Log: log.With().Int("match", 7).Logger(),
		Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) },
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

// steady is a game in which nothing happens.
type steady struct{ swelling }

func (*steady) Step([]engine.Input) engine.Result {
	return engine.Result{Await: engine.Everyone, Winner: engine.Nobody}
}

// brittleConn panics when it writes for the third time.
type brittleConn struct {
	Conn
	writes int
}

func (c *brittleConn) TryWrite([]byte) int { return 0 }

func (c *brittleConn) Write(frame []byte) (int, error) {
	if c.writes++; c.writes == 3 {
		panic("the wire broke")
	}
	return c.Conn.Write(frame)
}

// A panic in writing to a client ends its session alone.
func TestPanicInWriting(t *testing.T) {
	var log servertest.Log
	c, ended := alone(t, &steady{}, zerolog.New(&log), func(c Conn) Conn { return &brittleConn{Conn: c} })
	if m, err := c.Receive(); err != io.EOF {
		t.Errorf("in place of a TURN: %s, %v; want the end of the connection", m.Raw, err)
	}
	if e := ended(); e.Err != nil || e.Steps != 3 || e.Seats[0].Reason != kickFailed {
		t.Errorf("match ended with %+v", e)
	}
	text := log.String()
	if strings.Count(text, `"panic":"the wire broke"`) != 1 || !strings.Contains(text, "brittleConn") {
		t.Errorf("the log is %s", text)
	}
	for line := range strings.Lines(text) { // they say where it happened, and whom it concerns
		if strings.Contains(line, "Session failed") && (!strings.Contains(line, `"match":7,`) || !strings.Contains(line, `"player_id":0,`)) {
			t.Errorf("match and player are not in %s", line)
		}
	}
}
