package host_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a server that a test started.
type house struct {
	*host.Host
	t      testing.TB
	addr   string
	url    func() string // for players over WebSocket; the page opens when it is asked for
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
	return openServer(t, host.Options{Match: o, Linger: usualLinger})
}

// usualLinger is what the settings have by default: large states take a client longer than
// the server waits without it.
const usualLinger = 5 * time.Second

// openLogic is open for a match whose rules are to connect.
func openLogic(t testing.TB, timeout time.Duration, o match.Options) *house {
	t.Helper()
	return openServer(t, host.Options{Match: o, Linger: usualLinger, Logic: session.NewLogic(timeout, zerolog.Nop())})
}

func openServer(t testing.TB, o host.Options, prepare ...func(*host.Host)) *house {
	t.Helper()
	if o.Match.Pace == nil {
		o.Match.Pace = func(match.Settings) match.Pace { return match.Fast(0, 0) }
	}
	o.Bind = "127.0.0.1"
	if o.LoginTimeout == 0 {
		o.LoginTimeout = 10 * time.Second
	}
	s, err := host.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range prepare {
		f(s)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &house{Host: s, t: t, addr: s.Addr().String(), ending: make(chan match.Ending, 1), stop: stop}
	var served sync.WaitGroup
	served.Go(func() { h.ending <- s.Serve(ctx) })
	t.Cleanup(func() {
		stop()
		served.Wait()
	})
	h.url = sync.OnceValue(func() string {
		page := httptest.NewServer(s.Players())
		t.Cleanup(page.Close)
		return "ws" + strings.TrimPrefix(page.URL, "http")
	})
	return h
}

// wire is a way to connect to a house.
type wire struct {
	name string
	dial func(h *house) *servertest.Client
}

var wires = []wire{
	{"TCP", func(h *house) *servertest.Client { return servertest.Dial(h.t, h.addr) }},
	{"WebSocket", func(h *house) *servertest.Client { return servertest.DialWebSocket(h.t, h.url()) }},
}

// login connects and logs in, and fails the test unless that is acknowledged.
func (w wire) login(h *house, nickname, role string) *servertest.Client {
	h.t.Helper()
	c := w.dial(h)
	c.SendLogin(nickname, role)
	c.Expect("LOGIN_ACK")
	return c
}

// overWires runs a test over each wire.
func overWires(t *testing.T, test func(t *testing.T, w wire)) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) { test(t, w) })
	}
}

func (h *house) login(nickname, role string) *servertest.Client {
	h.t.Helper()
	return wires[0].login(h, nickname, role)
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
