package host_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

// brittle is hexabomb that panics in its third turn.
type brittle struct {
	engine.Game
	steps int
}

func (b *brittle) Step(in []engine.Input) engine.Result {
	if b.steps++; b.steps == 3 {
		panic("it broke")
	}
	return b.Game.Step(in)
}

// A match that panics ends with a report and a recording that says why; the next
// one is played to its end.
func TestPanicInASeries(t *testing.T) {
	const turns = 5
	dir := t.TempDir()
	var logged bytes.Buffer // the match's goroutine writes it, and ends before it is read
	var recorders []*recording.Recorder
	options := func(game engine.Game) match.Options {
		r := recording.New(recording.Options{Dir: dir, Game: game, Map: hexagon(3, 4).AppendJSON(nil), MapName: "m"})
		recorders = append(recorders, r)
		return match.Options{
			Settings: match.Settings{Turns: turns, Players: 1}, Autostart: true, Referee: match.Local(game),
			Watchers: []match.Watcher{r}, Log: zerolog.New(&logged),
			Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) },
		}
	}
	var failed *match.Ending
	h := openServer(t, host.Options{
		Match: options(&brittle{Game: hexabomb.New(hexagon(3, 4))}),
		Next: func(last *match.Ending) *match.Match {
			if failed != nil {
				return nil
			}
			failed = last
			return match.New(options(hexabomb.New(hexagon(3, 4))))
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
	if failed == nil || failed.Err == nil || failed.Steps != 2 {
		t.Errorf("the first match ended with %+v, want the panic after 2 turns", failed)
	}
	for _, want := range []string{"Match failed", `"panic":"it broke"`, "brittle", `"turn":2`} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, logged.String())
		}
	}
	for i, want := range []string{"it broke", ""} {
		path := recorders[i].Path()
		r, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for err == nil {
			_, err = r.Next()
		}
		if e := r.End(); err != io.EOF || e == nil || !strings.Contains(e.Error, want) || (want == "") != (e.Error == "") {
			t.Errorf("%s ends with %+v, %v; want %q", filepath.Base(path), e, err, want)
		}
	}
}

// brittleGate panics at a nickname, and brittleMeter at a long message: both are
// called by the goroutine of a client's session.
type (
	brittleGate  struct{}
	brittleMeter struct{ session.NoMeter }
)

func (brittleGate) Login(l netorcai.Login) (nickname, key string, err error) {
	if l.Nickname == "bang" {
		panic("the gate broke")
	}
	return l.Nickname, "", nil
}

func (brittleMeter) Received(bytes int) {
	if bytes > 4000 {
		panic("the meter broke")
	}
}

// A panic on account of one client kicks that one, and is logged once. It gets its
// seat back, and all others play to the end.
func TestPanicOverAClient(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		const turns = 6
		var logged servertest.Log
		h := openServer(t, host.Options{
			Gate: brittleGate{}, Meter: brittleMeter{}, Log: zerolog.New(&logged),
			Match: match.Options{
				Settings: match.Settings{Turns: turns, Players: 2, Visus: 1}, Grace: time.Minute,
				Referee: match.Local(hexabomb.New(hexagon(3, 4))), Log: zerolog.New(&logged),
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
		for _, c := range []*servertest.Client{b, v} {
			c.Expect("TURN")
			c.Answer(0, "[]")
		}
		if m := v.Expect("TURN"); m.Infos[0].Connected == m.Infos[1].Connected {
			t.Errorf("after the panic, players are %+v; want one to be gone", m.Infos)
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
		for _, want := range []string{`"panic":"the gate broke"`, "brittleGate", `"panic":"the meter broke"`, "brittleMeter"} {
			if n := strings.Count(logged.String(), want); n == 0 || want[0] == '"' && n > 1 {
				t.Errorf("the log has %s %d times:\n%s", want, n, logged.String())
			}
		}
	})
}
