package host_test

import (
	"cmp"
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// testHost is a host with one match, or a series, that a test started.
type testHost struct {
	*host.Host
	room   *host.Room // of the first match
	t      testing.TB
	addr   string
	url    func() string // for players over WebSocket; the first call opens the page
	ending chan match.Ending
	stop   context.CancelFunc
}

// options configure a testHost.
type options struct {
	host.Options
	spec host.Spec
	next func(*host.Result) *host.Spec // returns the spec of the next match; nil: a single match
}

// open starts a host with one match on a free port. It is stopped at the end of the test.
func open(t testing.TB, s host.Spec) *testHost {
	t.Helper()
	return openHost(t, options{Options: host.Options{Linger: usualLinger}, spec: s})
}

// usualLinger is the default of the settings. Without it, the server does not wait long
// enough for clients that receive large states.
const usualLinger = 5 * time.Second

// openLogic is like open, for a match with an external game.
func openLogic(t testing.TB, timeout time.Duration, s host.Spec) *testHost {
	t.Helper()
	s.GameTimeout = timeout
	return openHost(t, options{Options: host.Options{Linger: usualLinger}, spec: external(s)})
}

// external returns the spec with an external game.
func external(s host.Spec) host.Spec {
	s.Name, s.Game = "external", games.Instance{}
	return s
}

// game returns an instance for one match.
func game(
	g engine.Game,
) games.Instance {
	return games.Instance{New: func() engine.Game { return g }}
}

func fast(match.Settings) match.Pace { return match.Fast(0, 0) }

func openHost(t testing.TB, o options) *testHost {
	t.Helper()
	if o.spec.Pace == nil {
		o.spec.Pace = fast
	}
	o.CloseTimeout = cmp.Or(o.CloseTimeout, 50*time.Millisecond)
	if o.spec.Game.New == nil && o.spec.Name == "" {
		o.spec.Game = game(hexabomb.New(hexagon(3, 4)))
	}
	o.Bind = "127.0.0.1"
	if o.LoginTimeout == 0 {
		o.LoginTimeout = 10 * time.Second
	}
	made, err := host.Open(o.Options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &testHost{
		Host: made, t: t, addr: made.Addr().String(), ending: make(chan match.Ending, 1), stop: stop,
	}
	if h.room, err = made.Start(ctx, o.spec); err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() { h.ending <- h.play(ctx, o.next) })
	t.Cleanup(func() {
		stop()
		served.Wait()
	})
	h.url = sync.OnceValue(func() string {
		page := httptest.NewServer(made.Players())
		t.Cleanup(page.Close)
		return "ws" + strings.TrimPrefix(page.URL, "http")
	})
	return h
}

// play waits for the match, plays the following ones, and shuts the host down.
func (h *testHost) play(ctx context.Context, next func(*host.Result) *host.Spec) match.Ending {
	room := h.room
	for {
		r := room.Wait()
		var spec *host.Spec
		if next != nil {
			spec = next(&r)
		}
		var err error
		if spec != nil {
			room, err = h.Start(ctx, *spec)
		}
		if spec == nil || err != nil {
			h.Shutdown(ctx)
			if err != nil && !errors.Is(err, host.ErrDraining) {
				r.Err = err
			}
			return r.Ending
		}
	}
}

// wire is a transport to a testHost.
type wire struct {
	name string
	dial func(h *testHost) *servertest.Client
}

var wires = []wire{
	{"TCP", func(h *testHost) *servertest.Client { return servertest.Dial(h.t, h.addr) }},
	{"WebSocket", func(h *testHost) *servertest.Client {
		return servertest.DialWebSocket(h.t,
			h.url())
	}},
}

// login connects and logs in. It fails the test if the login is refused.
func (w wire) login(h *testHost, nickname, role string) *servertest.Client {
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

func (h *testHost) login(nickname, role string) *servertest.Client {
	h.t.Helper()
	return wires[0].login(h, nickname, role)
}

func (h *testHost) start() {
	h.t.Helper()
	if err := h.room.Match().Start(); err != nil {
		h.t.Fatal(err)
	}
}

// end waits for the end of the match.
func (h *testHost) end() match.Ending {
	h.t.Helper()
	select {
	case e := <-h.ending:
		return e
	case <-time.After(time.Minute):
		h.t.Fatal("the match does not end")
	}
	panic("unreachable")
}

// hexagon returns a board of that radius with one character for each player.
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

// inputLog is a watcher that keeps a copy of every applied input.
type inputLog struct {
	match.BaseWatcher
	mu     sync.Mutex
	setup  engine.Setup
	inputs [][]engine.Input
}

func (n *inputLog) Started(f *match.Frame) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.setup = engine.Setup{
		Players: f.Table.Players, Specials: f.Table.Specials, Turns: f.Table.Settings.Turns,
	}
}

func (n *inputLog) Played(p *match.Play) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []engine.Input
	for _, a := range p.Answers {
		a.Actions = append([]byte(nil), a.Actions...)
		list = append(list, a.Input)
	}
	n.inputs = append(n.inputs, list)
}
