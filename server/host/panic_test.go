package host_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

// panickingGame is hexabomb with a panic in its third turn.
type panickingGame struct {
	engine.Game
	steps int
}

func (b *panickingGame) Step(in []engine.Input) engine.Result {
	if b.steps++; b.steps == 3 {
		panic("it broke")
	}
	return b.Game.Step(in)
}

// A match that panics ends with a report and a recording that give the reason. The next
// match is played to its end.
func TestPanicInASeries(t *testing.T) {
	thorough.Long(t)
	const turns = 5
	var logged servertest.Log
	spec := func(g engine.Game) host.Spec {
		return host.Spec{
			Game: games.Instance{
				Map: "m", Setup: hexagon(3, 4).AppendJSON(nil), New: func() engine.Game { return g },
			},
			Settings: match.Settings{Turns: turns, Players: 1}, Autostart: true, Pace: fast,
		}
	}
	var results []*host.Result
	h := openHost(t, options{
		Options: host.Options{Log: zerolog.New(&logged), Recordings: &host.Recordings{Dir: t.TempDir()}},
		spec:    spec(&panickingGame{Game: hexabomb.New(hexagon(3, 4))}),
		next: func(last *host.Result) *host.Spec {
			results = append(results, last)
			if len(results) > 1 {
				return nil
			}
			next := spec(hexabomb.New(hexagon(3, 4)))
			return &next
		},
	})
	answer := func(c *servertest.Client, most int) {
		c.Expect("GAME_STARTS")
		for turn := range most {
			c.Expect("TURN")
			c.Answer(turn, "[]")
		}
	}
	c := h.login("a", "player")
	answer(c, 2)
	c.ExpectKick("netorcai abort")
	c = h.login("a", "player")
	answer(c, turns-1)
	c.Expect("GAME_ENDS")
	if e := h.end(); e.Err != nil || e.Steps != turns {
		t.Errorf("the second match ended with %+v", e)
	}
	if failed := results[0]; failed.Err == nil || failed.Steps != 2 {
		t.Errorf("the first match ended with %+v, want the panic after 2 turns", failed)
	}
	for _, want := range []string{"Match failed", `"panic":"it broke"`, "panickingGame", `"step":2`} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, logged.String())
		}
	}
	for i, want := range []string{"it broke", ""} {
		path := results[i].Recording
		r, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for err == nil {
			_, err = r.Next()
		}
		if e := r.End(); err != io.EOF || e == nil || !strings.Contains(e.Error, want) ||
			(want == "") != (e.Error == "") {
			t.Errorf("%s ends with %+v, %v; want %q", filepath.Base(path), e, err, want)
		}
	}
}

// panickingGate panics at a nickname, and longMessageMeter at a long message. Both are
// called by the goroutine of a client's session.
type (
	panickingGate    struct{}
	longMessageMeter struct{ session.NoMeter }
)

func (panickingGate) Login(l netorcai.Login) (nickname, key string, err error) {
	if l.Nickname == "bang" {
		panic("the gate broke")
	}
	return l.Nickname, "", nil
}

func (longMessageMeter) Received(bytes int) {
	if bytes > 4000 {
		panic("the meter broke")
	}
}

// A panic while serving one client kicks that client and is logged once. The client can
// reconnect, and all others play to the end.
func TestPanicOverAClient(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		const turns = 6
		var logged servertest.Log
		h := openHost(t, options{
			Options: host.Options{
				Gate: panickingGate{}, Meter: longMessageMeter{}, Log: zerolog.New(&logged),
			},
			spec: host.Spec{
				Settings: match.Settings{Turns: turns, Players: 2, Visus: 1}, Reconnect: time.Minute,
			},
		})
		const kicked = "Internal error: see the server's log"
		c := w.dial(h)
		c.SendLogin("bang", "player")
		c.ExpectKick(kicked)

		a, b, v := w.login(h, "ann", "player"), w.login(h, "bob", "player"), w.login(h, "eve", "visualization")
		h.start()
		for _, c := range []*servertest.Client{a, b, v} {
			c.Expect("GAME_STARTS")
		}
		a.Expect("TURN")
		a.Answer(0, "[]"+strings.Repeat(" ", 5000))
		a.ExpectKick(kicked)
		b.Expect("TURN")
		v.Expect("TURN") // before b ends the turn: else it might be told of the next one only
		b.Answer(0, "[]")
		v.Answer(0, "[]")
		if m := v.Expect("TURN"); m.Infos[0].Connected == m.Infos[1].Connected {
			t.Errorf("after the panic, players are %+v; want one to be disconnected", m.Infos)
		}
		a = w.login(h, "ann", "player")
		a.Expect("GAME_STARTS")
		for turn := 1; turn < turns-1; turn++ {
			for _, c := range []*servertest.Client{a, b} {
				if m := c.Expect("TURN"); m.Turn != turn {
					t.Fatalf("TURN %d, want %d", m.Turn, turn)
				}
			}
			for _, c := range []*servertest.Client{a, b} {
				c.Answer(turn, "[]")
			}
		}
		a.Expect("GAME_ENDS")
		b.Expect("GAME_ENDS")
		if e := h.end(); e.Err != nil || e.Steps != turns {
			t.Errorf("the match ended with %+v", e)
		}
		for _, want := range []string{
			`"panic":"the gate broke"`, "panickingGate", `"panic":"the meter broke"`, "longMessageMeter",
		} {
			if n := strings.Count(logged.String(), want); n == 0 || want[0] == '"' && n > 1 {
				t.Errorf("the log has %s %d times:\n%s", want, n, logged.String())
			}
		}
	})
}
