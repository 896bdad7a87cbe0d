package state

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/stages"
)

// day is an event whose log is in memory.
type day struct {
	*State
	t    *testing.T
	acts []byte
	rows []*results.Row
}

// newDay returns an event of three seats with a built-in bot.
func newDay(t *testing.T, names ...string) *day {
	d := &day{State: New([]string{"filler"}, 3), t: t}
	for _, name := range names {
		a, err := d.Teams.SignUp(name, "")
		d.do(a, err)
	}
	return d
}

// do writes and applies an act.
func (d *day) do(a Act, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	d.acts = AppendAct(d.acts, a, int64(1000+d.Acts()))
	if err := d.Apply(a); err != nil {
		d.t.Fatal(err)
	}
}

// add adds the result of a match.
func (d *day) add(row *results.Row) {
	d.t.Helper()
	row.K = len(d.rows)
	if err := d.Add(row); err != nil {
		d.t.Fatal(err)
	}
	d.rows = append(d.rows, row)
}

// row returns the result of a match in which the team with the lowest number wins.
func (d *day) row(teams []int) *results.Row {
	row := &results.Row{
		Map: "board", Scores: make([]int64, 3), Ranks: make([]int, 3), Refused: make([]int, 3),
		Forfeits: make([]string, 3),
	}
	for seat := range 3 {
		row.Bots, row.Ranks[seat] = append(row.Bots, "filler"), 3
		if seat >= len(teams) {
			continue
		}
		row.Bots[seat], row.Ranks[seat] = d.Teams.All()[teams[seat]].Nick, 1
		for _, other := range teams {
			if other < teams[seat] {
				row.Ranks[seat]++
			}
		}
	}
	return row
}

// round starts a round of teams, and returns it.
func (d *day) round(ready []int) *Round {
	d.t.Helper()
	d.do(d.StartRound(ready, false), nil)
	return d.Last()
}

// play plays a round of teams but for matches that are skipped.
func (d *day) play(ready []int, skipped int) {
	d.t.Helper()
	matches := d.round(ready).Matches
	for _, m := range matches[:len(matches)-skipped] {
		d.add(d.row(m))
	}
}

// refolded returns the event that follows from the log.
func (d *day) refolded() *day {
	d.t.Helper()
	again := &day{State: New([]string{"filler"}, d.seats), t: d.t, acts: d.acts, rows: d.rows}
	acts, err := ParseActs(d.acts)
	if err == nil {
		err = again.Fold(acts, d.rows)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return again
}

// A match is played again once, unless it counts again meanwhile, also if the log is read again,
// and also if its act is the last. Acts of an earlier program do not say whether it is.
func TestReplay(t *testing.T) {
	d := newDay(t, "Ann", "Bob", "Carl")
	all := []int{0, 1, 2}
	expect := func(matches ...int) {
		t.Helper()
		for _, one := range []*day{d, d.refolded()} {
			var got []int
			for one.Replayable(all) {
				a, err := one.Replay(all)
				one = one.refolded()
				one.do(a, err)
				got = append(got, a.(*RoundStarted).Match)
				one.add(one.row(one.Last().Matches[0]))
			}
			if !slices.Equal(got, matches) {
				t.Errorf("matches %v are played again, want %v", got, matches)
			}
		}
	}
	for range 4 {
		d.play(all, 0)
	}
	expect()
	d.do(d.PlayAgain(2))
	d.do(d.PlayAgain(0))
	d.do(d.PlayAgain(1))
	d.do(d.Void(0, true))
	d.do(d.Void(1, false))
	expect(2, 0)
	if d.Replayable([]int{0, 1}) {
		t.Error("a match is played again without one of its teams")
	}
	if _, err := d.Replay([]int{0, 1}); !errors.Is(err, ErrNoReplay) {
		t.Errorf("without one of its teams: %v", err)
	}
	old, err := ParseActs([]byte(`{"act":"void","at":7,"on":true,"match":1}`))
	if err != nil {
		t.Fatal(err)
	}
	d.do(old[0], nil)
	expect(2, 0)
	d.do(d.StartFinal(stages.KnockOut, 3, 1, unofficial))
	d.do(d.StartFinalRound(), nil)
	d.add(d.row(d.Last().Matches[0]))
	d.do(d.PlayAgain(4))
	expect(2, 0)
	if !d.Final().Pending() {
		t.Error("the final does not play its match again")
	}
}

// The version that a bot claims is the same once rows and acts that have it are read again.
func TestClaimed(t *testing.T) {
	long := strings.Repeat("a", maxClaimed-1)
	for _, tt := range []struct{ version, want string }{
		{"1.2", "1.2"},
		{long + "bc", long + "b"},
		{long + "ß", long},
		{long + "\xff", long},
		{"\xffv1", "v1"},
		{"sent:0123", ""},
		{"\xffsent:0123", ""},
		{"forgotten:0123", ""},
	} {
		got := Claimed(tt.version)
		if got != tt.want {
			t.Errorf("Claimed(%q) = %q, want %q", tt.version, got, tt.want)
		}
		d := newDay(t, "Ann")
		d.do(d.Freeze(map[int]string{0: got}))
		if again := d.refolded().Versions.FrozenVersion(0); again != got {
			t.Errorf("the frozen version %q is %q when the log is read again", got, again)
		}
	}
}

// The log of an event gives the same event again: standings, void matches, names, and the pairing
// of the next round, also where the last round was interrupted.
func TestFold(t *testing.T) {
	d := newDay(t, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred", "Gus")
	all := []int{0, 1, 2, 3, 4, 5, 6}
	for round := range 12 {
		d.play(all[round%3:], 0)
	}
	for _, next := range []func(*State) (Act, error){
		func(s *State) (Act, error) { return s.Teams.Rename(1, "Berta") },
		func(s *State) (Act, error) { return s.Teams.Rest(2, true) },
		func(s *State) (Act, error) { return s.Void(3, true) },
		func(s *State) (Act, error) { return s.Void(4, true) },
		func(s *State) (Act, error) { return s.Void(4, false) },
		func(s *State) (Act, error) { return &RoundsPaused{On: true}, nil },
		func(s *State) (Act, error) { return s.Teams.Remove([]int{5}, true) },
		func(s *State) (Act, error) { return s.Teams.Remove([]int{5}, false) },
		func(s *State) (Act, error) { return s.Teams.Hide(6, true) },
		func(s *State) (Act, error) { return s.Teams.Kick(6) },
		func(s *State) (Act, error) { return s.Show("Lunch") },
		func(s *State) (Act, error) { return &CodeChanged{}, nil },
		func(s *State) (Act, error) {
			return s.Versions.Send(1,
				Upload{Digest: "1234", File: "bot.py"}, 7)
		},
		func(s *State) (Act, error) { return s.Versions.Try(1, "1234", "it sleeps") },
	} {
		d.do(next(d.State))
	}
	d.play(all, 1)
	again := d.refolded()
	if got, want := again.View(), d.View(); !reflect.DeepEqual(got, want) {
		t.Errorf("the event is %+v, was %+v", got, want)
	}
	for team := range all {
		if got, want := again.VersionResults(team), d.VersionResults(team); !reflect.DeepEqual(got, want) {
			t.Errorf("team %d has the versions %+v, had %+v", team, got, want)
		}
	}
	if got, want := again.StartRound(all, true), d.StartRound(all, true); !reflect.DeepEqual(got, want) {
		t.Errorf("the next round is %+v, was %+v", got, want)
	}
	if last := d.Standings()[6]; last.Number != 6 || last.Rank != 7 || last.Matches == 0 {
		t.Errorf("the last is %+v, and team 6 lost all", last)
	}
}

// Acts that do not fit are refused, and change nothing.
func TestRefusedActs(t *testing.T) {
	d := newDay(t, "Ann", "Bob")
	before := d.View()
	for _, next := range []func(*State) (Act, error){
		func(s *State) (Act, error) { return s.Teams.Rest(7, true) },
		func(s *State) (Act, error) { return s.Teams.Rename(-1, "x") },
		func(s *State) (Act, error) { return s.Teams.Rename(1, "Ann") },
		func(s *State) (Act, error) { return s.Void(1000, true) },
		func(s *State) (Act, error) { return s.Show(strings.Repeat("x", maxMessage+1)) },
		func(s *State) (Act, error) { return s.Teams.Remove(nil, true) },
		func(s *State) (Act, error) { return s.Teams.Remove([]int{0}, false) },
		func(s *State) (Act, error) { return s.Thaw() },
	} {
		if a, err := next(d.State); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
	for _, line := range []string{
		`{"act":"dance","at":1}`, `{"act":"rested","at":1,"team":9,"on":true}`,
		`{"act":"rested","at":1,"speed":2}`, `{"act":"tried","at":1,"version":"none"}`,
		`{"act":"joined","at":1,"team":7,"name":"x","nick":"x"}`, `{"act":"sent","at":1}`, `x`,
	} {
		acts, err := ParseActs([]byte(line + "\n"))
		if err == nil {
			err = d.Fold(acts, nil)
		}
		if err == nil {
			t.Errorf("the line %s is accepted", line)
		}
	}
	if after := d.View(); !reflect.DeepEqual(after, before) {
		t.Errorf("the event is %+v, was %+v", after, before)
	}
}

// A team's place follows from its last matches: one that lost all, and then wins as many as count,
// leads.
func TestLastMatches(t *testing.T) {
	d := newDay(t, "Ann", "Bob")
	for match := range 3 * LastMatches {
		row := d.row(d.round([]int{0, 1}).Matches[0])
		if match >= LastMatches {
			row.Ranks[0], row.Ranks[1] = row.Ranks[1], row.Ranks[0]
		}
		d.add(row)
		leader := d.Standings()[0].Nick
		want := map[int]string{LastMatches - 1: "Ann", 3*LastMatches - 1: "Bob"}[match]
		if want != "" && leader != want {
			t.Errorf("after %d matches %s leads, want %s", match+1, leader, want)
		}
	}
}

// Names are unique as they look, nicknames differ from each other and from those of built-in bots,
// and have at most ten characters.
func TestNames(t *testing.T) {
	d := newDay(t)
	seen := map[string]bool{"filler": true}
	for _, name := range []string{
		"The Hexagon Breakers", "The Hexagon Bakers", "Filler?", "Filler!", "Команда А", "蜂の巣",
		"🐝🐝", "🐝", "a  b", "éclair", strings.Repeat("x", 30),
	} {
		a, err := d.Teams.SignUp(name, "")
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		d.do(a, nil)
		folded := nickname.Fold(a.Nick)
		n := utf8.RuneCountInString(a.Nick)
		if n > maxNickname || seen[folded] || nickname.Check(a.Nick) != nil {
			t.Errorf("%q has the nickname %q", name, a.Nick)
		}
		seen[folded] = true
	}
	for name, want := range map[string]string{
		"": "1 to 30", strings.Repeat("x", 31): "1 to 30", "a\u202eb": "U+202E",
		"e\u0301CLAIR": "looks the same", "ｆｉｌｌｅｒ！": "looks the same", "éclaır": "looks the same",
		"Комaндa А": "looks the same", "Тhе Нехаgоn Ваkеrѕ": "looks the same",
		".": "only dots", "..": "only dots", "．．": "only dots",
		"Filler": "a built-in bot", "filler#2": "a built-in bot",
		"filler (built-in)": "a built-in bot", "fіllеr": "a built-in bot",
	} {
		if _, err := d.Teams.SignUp(name, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

// Each kind of act is the same after it was written and read.
func TestActsAsText(t *testing.T) {
	for kind, make := range kinds {
		line := AppendAct(nil, make(), 7)
		if want := fmt.Sprintf(`{"act":%q,"at":7}`+"\n", kind); string(line) != want {
			t.Errorf("a new act is written as %s, want %s", line, want)
		}
		acts, err := ParseActs(line)
		if err != nil || len(acts) != 1 || acts[0].kind() != kind || Time(acts[0]) != 7 {
			t.Errorf("%s is read as %+v, %v", line, acts, err)
		}
	}
}
