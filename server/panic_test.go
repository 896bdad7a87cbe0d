package server_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
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
	h := openServer(t, server.Options{
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
	for _, want := range []string{"Match failed: it broke", "brittle", `"turn":2`} {
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
