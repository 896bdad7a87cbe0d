package event

import (
	"fmt"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// playFrozen plays official rounds of all teams, in each of which the team with the lower number wins unless it is that team's turn to lose.
func playFrozen(t *testing.T, e *Event, rounds, upset int) {
	t.Helper()
	for round := range rounds {
		var ready []int
		for team := range e.state.teams {
			ready = append(ready, team)
		}
		r, err := e.Begin(ready, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Matches {
			row := rowOf(e, m)
			row.Versions = make([]string, len(row.Bots))
			for seat := range m {
				row.Versions[seat] = e.state.frozen.versions[m[seat]]
			}
			if upset > 0 && round%upset == 0 {
				row.Ranks[0], row.Ranks[1] = row.Ranks[1], row.Ranks[0]
			}
			if err := e.Add(t.Context(), row, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Official standings are those of the matches since the freeze, by the versions that were frozen. The first three become certain, and the estimate of the
// matches until then falls. A team without a digest is not verified. They survive that the event is opened again, and a thaw takes them back.
func TestOfficial(t *testing.T) {
	thorough.Long(t)
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred")
	playRound(t, e, []int{5, 4, 3, 2, 1, 0}, 0)
	if o := e.Official(); o.Frozen || o.Matches != 0 || o.Left != nil {
		t.Errorf("before the freeze: %+v", o)
	}
	line := lineUp{}
	for team := range 6 {
		line[team] = player{version: fmt.Sprint("v", team)}
	}
	line[5] = player{}
	if err := e.freeze(line); err != nil {
		t.Fatal(err)
	}
	playFrozen(t, e, 4, 2)
	if o := e.Official(); o.Matches != 8 || o.Certain || o.Left != nil {
		t.Errorf("after 8 matches, which say nothing of how many it takes: %+v", o)
	}
	playFrozen(t, e, 20, 2)
	first := e.Official()
	if first.Matches != 48 || first.Certain || first.Left == nil || *first.Left == 0 {
		t.Errorf("after 48 matches: %+v", first)
	}
	for _, p := range first.Teams {
		if p.Verified != (p.Team != 5) {
			t.Errorf("%+v", p)
		}
	}
	playFrozen(t, e, 60, 5)
	o := e.Official()
	if !o.Certain || *o.Left != 0 || o.Teams[0].Name != "Ann" || o.Teams[1].Name != "Bob" || o.Teams[2].Name != "Carl" || o.Teams[0].Low == nil {
		t.Errorf("after %d matches: %+v", o.Matches, o)
	}
	// Another version of Ann's does not count.
	e.mu.Lock()
	e.state.frozen.versions[0] = "other"
	e.state.acts++
	e.mu.Unlock()
	if o := e.Official(); o.Teams[5].Name != "Ann" || o.Teams[5].Matches != 0 {
		t.Errorf("with another version: %+v", o)
	}
	e.Close()

	e = mustOpen(t, dir)
	defer e.Close()
	if again := e.Official(); fmt.Sprint(again.Matches, again.Certain, again.Teams[0].Elo) != fmt.Sprint(o.Matches, o.Certain, o.Teams[0].Elo) {
		t.Errorf("opened again: %+v", again)
	}
	if err := e.Announce(time.Hour); err == nil {
		t.Error("a deadline after the freeze")
	}
	if err := e.Thaw(); err != nil || e.Official().Frozen {
		t.Errorf("thawed: %v", err)
	}
	for _, in := range []time.Duration{-time.Second, maxGrace + 1} {
		if e.Announce(in) == nil {
			t.Errorf("a deadline in %v", in)
		}
	}
}

// Teams that are equal in all matches are not certain to be the first, however many they play.
func TestOfficialTies(t *testing.T) {
	e := mustOpen(t, t.TempDir())
	defer e.Close()
	signUp(t, e, "Ann", "Bob", "Carl", "Dora")
	line := lineUp{}
	for team := range 4 {
		line[team] = player{version: fmt.Sprint("v", team)}
	}
	if err := e.freeze(line); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		r, err := e.Begin([]int{0, 1, 2, 3}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Matches {
			row := rowOf(e, m)
			for seat, team := range m {
				row.Ranks[seat] = 1
				row.Versions = append(row.Versions, e.state.frozen.versions[team])
			}
			if err := e.Add(t.Context(), row, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	if o := e.Official(); o.Matches == 0 || o.Certain || o.Left != nil || o.Teams[0].Low != nil {
		t.Errorf("after %d ties: %+v", o.Matches, o)
	}
}

// After the freeze a team plays with the version that was frozen, and no version can be sent.
func TestFrozenLineUp(t *testing.T) {
	e := mustOpen(t, t.TempDir())
	defer e.Close()
	signUp(t, e, "Ann", "Bob", "Carl", "Dora")
	e.setStarts(func(*Sent) bool { return true })
	send := func(team int, digest string) {
		v := Sent{}.Version
		v.Digest, v.File = digest, "bot.py"
		if err := e.addSent(team, v); err != nil {
			t.Fatal(err)
		}
		if err := e.addTried(team, digest, ""); err != nil {
			t.Fatal(err)
		}
	}
	send(0, "one")
	line, _ := e.lineUp(map[string]string{keyOf(1): "digest", keyOf(2): ""}, func(string) bool { return false })
	if err := e.freeze(line); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		connected string // version of all
		want      string
	}{
		{"digest", "sent:one digest digest digest"},
		{"changed", "sent:one - changed changed"},
	} {
		waiting := map[string]string{}
		for team := range 4 {
			waiting[keyOf(team)] = tt.connected
		}
		line, _ := e.lineUp(waiting, func(string) bool { return false })
		got := ""
		for team := range 4 {
			version := "-"
			if p, ready := line[team]; ready {
				version = p.version
			}
			got += " " + version
		}
		if got[1:] != tt.want {
			t.Errorf("connected as %s, there play%s, want %s", tt.connected, got, tt.want)
		}
	}
	if err := e.maySend(0); err == nil {
		t.Error("a version is sent after the freeze")
	}
}
