package rounds

import (
	"testing"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// teamsOf returns the state with some teams.
func teamsOf(t *testing.T, names ...string) *state.State {
	t.Helper()
	s := state.New(nil, 3)
	for _, name := range names {
		a, err := s.Teams.SignUp(name, "")
		apply(t, s, a, err)
	}
	return s
}

func apply(t *testing.T, s *state.State, a state.Act, err error) {
	t.Helper()
	if err == nil {
		err = s.Apply(a)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// After the freeze a team plays with the version that was frozen.
func TestFrozenLineUp(t *testing.T) {
	s := teamsOf(t, "Ann", "Bob", "Carl", "Dora")
	starts := func(*state.Version) bool { return true }
	a, err := s.Versions.Send(0, state.Upload{Digest: "one", File: "bot.py"}, 1)
	apply(t, s, a, err)
	a, err = s.Versions.Try(0, "one", "")
	apply(t, s, a, err)
	waiting := waitingBots{event.Key(1): "digest", event.Key(2): ""}
	line, _ := waiting.lineUp(s, new(attendance).hangs, starts)
	versions := map[int]string{}
	for team, p := range line {
		versions[team] = p.Version
	}
	a, err = s.Freeze(versions)
	apply(t, s, a, err)
	for _, tt := range []struct {
		connected string // version of all
		want      string
	}{
		{"digest", "sent:one digest digest digest"},
		{"changed", "sent:one - changed changed"},
	} {
		waiting := waitingBots{}
		for team := range 4 {
			waiting[event.Key(team)] = tt.connected
		}
		line, _ := waiting.lineUp(s, new(attendance).hangs, starts)
		got := ""
		for team := range 4 {
			version := "-"
			if p, ready := line[team]; ready {
				version = p.Version
			}
			got += " " + version
		}
		if got[1:] != tt.want {
			t.Errorf("connected as %s, there play%s, want %s", tt.connected, got, tt.want)
		}
	}
}

// A team without a bot is not ready, and a bot without a version plays.
func TestLineUp(t *testing.T) {
	s := teamsOf(t, "Ann", "Bob")
	line, all := waitingBots{event.Key(0): ""}.lineUp(s, new(attendance).hangs, nil)
	if len(line) != 1 || line[0] != (Player{}) || all {
		t.Errorf("ready are %v, all: %v", line, all)
	}
}
