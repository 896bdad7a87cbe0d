package server_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a server that a test started.
type house struct {
	*server.Server
	t      testing.TB
	addr   string
	ending chan match.Ending
	stop   context.CancelFunc
}

// open starts a server for one match, on any free port. It is stopped with the
// test.
func open(t testing.TB, o match.Options) *house {
	t.Helper()
	if o.Referee == nil {
		o.Referee = match.Local(hexabomb.New(hexagon(3, 4)))
	}
	return openServer(t, server.Options{Match: o})
}

// openLogic is open for a match whose rules are to connect.
func openLogic(t testing.TB, timeout time.Duration, o match.Options) *house {
	t.Helper()
	return openServer(t, server.Options{Match: o, Logic: session.NewLogic(timeout, zerolog.Nop())})
}

func openServer(t testing.TB, o server.Options) *house {
	t.Helper()
	if o.Match.Pace == nil {
		o.Match.Pace = func(match.Settings) match.Pace { return match.Fast(0, 0) }
	}
	o.Match.Log, o.Log = zerolog.Nop(), zerolog.Nop()
	o.Bind, o.LoginTimeout = "127.0.0.1", 10*time.Second
	s, err := server.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &house{Server: s, t: t, addr: s.Addr().String(), ending: make(chan match.Ending, 1), stop: stop}
	var served sync.WaitGroup
	served.Go(func() { h.ending <- s.Serve(ctx) })
	t.Cleanup(func() {
		stop()
		served.Wait()
	})
	return h
}

func (h *house) login(nickname, role string) *servertest.Client {
	h.t.Helper()
	return servertest.Login(h.t, h.addr, nickname, role)
}

func (h *house) start() {
	h.t.Helper()
	if err := h.Match().Start(); err != nil {
		h.t.Fatal(err)
	}
}

// end waits for the end of the match.
func (h *house) end() match.Ending {
	h.t.Helper()
	select {
	case e := <-h.ending:
		return e
	case <-time.After(time.Minute):
		h.t.Fatal("the match does not end")
	}
	panic("unreachable")
}

// hexagon is a board of that radius with one character for each player.
func hexagon(radius, players int) *hexabomb.Map {
	m := &hexabomb.Map{Specials: []hexgrid.Coord{{}}}
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			c := hexgrid.Coord{Q: q, R: r}
			if hexgrid.Distance(c, hexgrid.Coord{}) > radius {
				continue
			}
			m.Cells = append(m.Cells, c)
			if c != (hexgrid.Coord{}) && len(m.Starts) < players {
				m.Starts = append(m.Starts, []hexgrid.Coord{c})
			}
		}
	}
	return m
}

// notes is a watcher that keeps a copy of every input, as applied.
type notes struct {
	mu     sync.Mutex
	setup  engine.Setup
	inputs [][]engine.Input
}

func (n *notes) Joined(match.SeatInfo, match.Role) {}
func (n *notes) Left(match.SeatInfo, match.Role)   {}
func (n *notes) Ended(*match.Ending)               {}

func (n *notes) Started(f *match.Frame) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.setup = engine.Setup{Players: f.Table.Players, Specials: f.Table.Specials, Turns: f.Table.Settings.Turns}
}

func (n *notes) Played(p *match.Play) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []engine.Input
	for _, a := range p.Answers {
		a.Actions = append([]byte(nil), a.Actions...)
		list = append(list, a.Input)
	}
	n.inputs = append(n.inputs, list)
}
