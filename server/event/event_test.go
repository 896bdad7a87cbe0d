package event

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// mustOpen opens the event of a test in a folder. It is closed at the end, unless the test closes
// it.
func mustOpen(t *testing.T, dir string) *Event {
	t.Helper()
	e, err := Open(Options{Dir: dir, Plan: plan.Plan{
		Bots: []plan.Bot{{Name: "filler", Seat: "filler"}}, Format: plan.Ladder, Game: "toy", Seats: 3,
		Maps: []plan.Map{{Name: "board", Places: 3}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// signUp adds teams.
func signUp(t *testing.T, e *Event, names ...string) (tokens []string) {
	t.Helper()
	for _, name := range names {
		_, token, err := e.SignUp(name, e.Code())
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	return tokens
}

// playRound plays a round in which the team with the lowest number wins, but for matches that are
// skipped.
func playRound(t *testing.T, e *Event, ready []int, skipped int) {
	t.Helper()
	r, err := e.Begin(ready, false)
	if err != nil || r == nil {
		t.Fatalf("the round is %v, %v", r, err)
	}
	for _, m := range r.Matches[:len(r.Matches)-skipped] {
		if err := e.Add(t.Context(), rowOf(e, m), ""); err != nil {
			t.Fatal(err)
		}
	}
}

func rowOf(e *Event, teams []int) *results.Row {
	row := &results.Row{
		Map: "board", Scores: make([]int64, 3), Ranks: make([]int, 3), Refused: make([]int, 3),
		Forfeits: make([]string, 3),
	}
	for seat := range 3 {
		row.Bots, row.Ranks[seat] = append(row.Bots, "filler"), 3
		if seat >= len(teams) {
			continue
		}
		row.Bots[seat], row.Ranks[seat] = e.state.Teams.All()[teams[seat]].Nick, 1
		for _, other := range teams {
			if other < teams[seat] {
				row.Ranks[seat]++
			}
		}
	}
	return row
}

// comparable returns a view without what differs between processes.
func (e *Event) comparable() View {
	v := e.View()
	v.Changed = nil
	return v
}

// An event is the same when its folder is opened again: teams, tokens, standings, void matches, and
// the pairing of the next round, also where the last round was interrupted. The checkpoint of an
// earlier program is ignored.
func TestEventGoesOn(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	tokens := signUp(t, e, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred", "Gus")
	all := []int{0, 1, 2, 3, 4, 5, 6}
	for round := range 12 {
		playRound(t, e, all[round%3:], 0)
	}
	for _, next := range []func(*state.State) (state.Act, error){
		func(s *state.State) (state.Act, error) { return s.Teams.Rename(1, "Berta") },
		func(s *state.State) (state.Act, error) { return s.Teams.Rest(2, true) },
		func(s *state.State) (state.Act, error) { return s.Void(3, true) },
		func(s *state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil },
	} {
		if err := e.Do(next); err != nil {
			t.Error(err)
		}
	}
	playRound(t, e, all, 1)
	before := e.comparable()
	e.Close()

	checkpoint := filepath.Join(dir, "acts", "checkpoint.json")
	text := []byte(`{"version":4,"acts":0,"rows":0,"state":{"teams":[],"paused":false}}`)
	if err := os.WriteFile(checkpoint, text, 0o600); err != nil {
		t.Fatal(err)
	}
	e = mustOpen(t, dir)
	defer e.Close()
	if after := e.comparable(); !reflect.DeepEqual(after, before) {
		t.Errorf("the event is %+v, was %+v", after, before)
	}
	for i, token := range tokens {
		login := netorcai.Login{Role: netorcai.RolePlayer, Nickname: "x", Token: token}
		if team, err := e.Login(login); err != nil || team.Number != i {
			t.Errorf("the token of team %d is that of %+v, %v", i, team, err)
		}
	}
	if last := before.Standings[6]; last.Number != 6 || last.Rank != 7 || last.Matches == 0 ||
		!before.Paused {
		t.Errorf("the event is %+v, and team 6 lost all", before)
	}
	playRound(t, e, all, 0)

	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if table, err := c.Standings(func(*results.Row) error { return nil }); err != nil ||
		table.Matches() != e.View().Matches {
		t.Errorf("as a cup, the event has the standings %v, %v", table, err)
	}
}

// Whatever a crash leaves of the last lines of both logs, the event goes on after the lines that
// are whole.
func TestTornEvent(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Bob", "Carl")
	playRound(t, e, []int{0, 1, 2}, 0)
	e.Close()
	for _, name := range []string{actsFile, rowsFile} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, torn := range []string{`{"act":"rest`, "\x00\x00\x00\n", `{"k":1,"seed":`} {
			if err := os.WriteFile(path, append(text, torn...), 0o644); err != nil {
				t.Fatal(err)
			}
			e := mustOpen(t, dir)
			if v := e.View(); v.Matches != 1 || len(v.Standings) != 3 {
				t.Errorf("%s with %q: %+v", name, torn, v)
			}
			e.Close()
			if now, _ := os.ReadFile(path); string(now) != string(text) {
				t.Errorf("%s with %q is %q", name, torn, now)
			}
		}
	}
	// A result whose round is not in the log of acts does not happen: the act is on the disk before
	// the round begins.
	if err := os.WriteFile(filepath.Join(dir, actsFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir, Plan: plan.Plan{Game: "toy", Seats: 3}}); err == nil ||
		!strings.Contains(err.Error(), "has no round") {
		t.Errorf("an event without acts is opened with %v", err)
	}
	if _, err := Open(Options{Dir: dir, Plan: plan.Plan{Game: "toy", Seats: 4}}); err == nil ||
		!strings.Contains(err.Error(), "with 3 seats") {
		t.Errorf("an event of other seats is opened with %v", err)
	}
}

// No log has a token, and the secret is the owner's alone.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	defer e.Close()
	secrets := append(signUp(t, e, "Ann", "Bob"), e.Admin(), e.Code())
	for _, name := range []string{actsFile, rowsFile, planFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if strings.Contains(string(text), s) {
				t.Errorf("%s has the secret %s", name, s)
			}
		}
	}
	if info, err := os.Stat(filepath.Join(dir, secretFile)); err != nil ||
		runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the secret is %v, %v", info.Mode(), err)
	}
	for _, m := range []netorcai.Login{
		{Role: netorcai.RolePlayer, Nickname: "Ann"},
		{Role: netorcai.RolePlayer, Nickname: "Ann", Token: e.Admin()},
		{Role: netorcai.RoleVisualization, Token: secrets[0]},
	} {
		if _, err := e.Login(m); err == nil || strings.Contains(err.Error(), secrets[0]) {
			t.Errorf("the login %+v is admitted with %v", m, err)
		}
	}
	login := netorcai.Login{Role: netorcai.RolePlayer, Nickname: secrets[1]}
	if team, err := e.Login(login); team.Nick != "Bob" || err != nil {
		t.Errorf("a token as the nickname gives %+v, %v", team, err)
	}
	if !e.Operates(e.Admin()) || e.Operates(secrets[0]) || e.Operates("") {
		t.Error("only the operator's token must be the operator's")
	}
}

// Acts and results of many goroutines are all written, each once, and fold to what was shown.
func TestManyWrite(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	var teams sync.WaitGroup
	for i := range 30 {
		teams.Go(func() {
			if _, _, err := e.SignUp(fmt.Sprint("team ", i/2), e.Code()); err != nil &&
				!strings.Contains(err.Error(), "another team") {
				t.Error(err)
			}
		})
	}
	teams.Wait()
	var all []int
	for i := range e.View().Standings {
		all = append(all, i)
	}
	if len(all) != 15 {
		t.Fatalf("there are %d teams, of 15 names", len(all))
	}
	r, err := e.Begin(all, false)
	if err != nil {
		t.Fatal(err)
	}
	var matches sync.WaitGroup
	for _, m := range r.Matches {
		row := rowOf(e, m)
		matches.Go(func() {
			if err := e.Add(t.Context(), row, ""); err != nil {
				t.Error(err)
			}
		})
		matches.Go(func() {
			_ = e.Do(func(s *state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
		})
	}
	matches.Wait()
	before := e.comparable()
	e.Close()
	e = mustOpen(t, dir)
	defer e.Close()
	if after := e.comparable(); !reflect.DeepEqual(after, before) || after.Matches != len(r.Matches) {
		t.Errorf("the event is %+v, was %+v", after, before)
	}
}

// The second result of a match, and that of a match of an earlier round, are refused even if they
// waited to be written when they became wrong. Neither is in the log.
func TestResultsThatDoNotFit(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred")
	r, err := e.Begin([]int{0, 1, 2, 3, 4, 5}, false)
	if err != nil || len(r.Matches) != 2 {
		t.Fatalf("the round is %+v, %v", r, err)
	}
	end := e.write()
	added := make(chan error)
	for range 2 {
		go func() { added <- e.Add(t.Context(), rowOf(e, r.Matches[0]), "") }()
	}
	for waiting := 0; waiting < 2; runtime.Gosched() {
		e.Read(func(*state.State) { waiting = len(e.queue) })
	}
	end()
	if a, b := <-added, <-added; (a == nil) == (b == nil) {
		t.Errorf("two results of a match are added with %v and %v", a, b)
	}

	end = e.write()
	go func() { added <- e.Add(t.Context(), rowOf(e, r.Matches[1]), "") }()
	for waiting := 0; waiting < 1; runtime.Gosched() {
		e.Read(func(*state.State) { waiting = len(e.queue) })
	}
	err = e.writeAct(func(s *state.State) (state.Act, error) {
		return s.StartRound([]int{3, 4}, false), nil
	})
	end()
	if late := <-added; err != nil || late == nil {
		t.Errorf("a result of an earlier round is added: %v, %v", err, late)
	}
	e.Close()
	e = mustOpen(t, dir)
	defer e.Close()
	if n := e.View().Matches; n != 1 {
		t.Errorf("the log has %d results", n)
	}
}

// An act or a result that panics leaves the event as it was, so that others go on.
func TestEventAfterPanic(t *testing.T) {
	e := mustOpen(t, t.TempDir())
	defer e.Close()
	signUp(t, e, "Ann", "Bob", "Carl")
	p := panics.Catch(func() {
		_ = e.Do(func(*state.State) (state.Act, error) { panic("an act") })
	})
	if p == nil {
		t.Error("the act does not panic")
	}
	playRound(t, e, []int{0, 1, 2}, 0)
	r, err := e.Begin([]int{0, 1, 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	rows := e.rows
	e.rows = nil
	if p := panics.Catch(func() { _ = e.Add(t.Context(), rowOf(e, r.Matches[0]), "") }); p == nil {
		t.Error("the result does not panic")
	}
	e.rows = rows
	do(t, e, func(*state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
}
