//go:build unix

package source

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/seat"
)

// A bot is started again as the cup started it, also when what it was copied from is gone.
func TestRestart(t *testing.T) {
	t.Chdir(t.TempDir())
	const script = "#!/bin/sh\nexit 0\n"
	write(t, "old/bot", script)
	write(t, "new/bot", script)
	write(t, "many/main", script)
	write(t, "many/data", "1 2 3")
	write(t, "tools/run", script)
	list := mustEnter(t, "old/bot", "new/bot", "many", "random", "random", "sh tools/run -v",
		"stdio:new/bot")
	p := new(plan.Plan)
	for i := range list {
		if err := list[i].CopyTo(filepath.Join("cup", BotsDir), false); err != nil {
			t.Fatal(err)
		}
		p.Bots = append(p.Bots, list[i].Bot)
	}
	write(t, "cup/bots/old_bot/notes.txt", "which the bot wrote")
	for _, gone := range []string{"old", "new", "many"} {
		write(t, gone+"/bot", "another one") // no program
	}
	g := hexabomb.Game()
	for i := range list {
		s, err := Restart(t.Context(), "cup", p, i, seat.Known{Game: g.Name, Builtin: g.NewBuiltin})
		if want := &list[i].Spec; err != nil || s.Kind != want.Kind || s.Stdio != want.Stdio ||
			s.Builtin != want.Builtin || !reflect.DeepEqual(s.Argv, want.Argv) {
			t.Errorf("%s is started by %q, %v, want %q", list[i].Name, s.Argv, err, want.Argv)
		}
	}
	p.Bots[3].Seat = "nowhere"
	if _, err := Restart(t.Context(), "cup", p, 3, seat.Known{Game: g.Name, Builtin: g.NewBuiltin}); err == nil {
		t.Error("a bot that is nowhere is started")
	}
}
