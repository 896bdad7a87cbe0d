package event

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/event/versions"
)

// shownOf returns all that pages show of an event, and the matches of a round that would begin.
func shownOf(t *testing.T, e *Event) (all []any) {
	t.Helper()
	all = append(all, e.comparable(), e.resultBefore(), e.lastRound(), e.recentActs(), e.Code())
	for i := range e.state.teams {
		v, _ := e.TeamView(i)
		all = append(all, v, e.Versions(i))
	}
	return append(all, e.state.field)
}

// An event that is opened from a checkpoint is the same as one whose logs are read from the beginning; so is one whose checkpoint is
// damaged, or of other logs.
func TestCheckpoint(t *testing.T) {
	thorough.Long(t)
	dir := t.TempDir()
	e := mustOpen(t, dir)
	e.saves = 5
	signUp(t, e, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred", "Gus")
	all := []int{0, 1, 2, 3, 4, 5, 6}
	if err := e.addSent(1, versions.Version{Digest: "0123456789abcdef", File: "bot.py", Bytes: 10}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, checkpointFile)
	var before []byte
	for round := range 40 {
		playRound(t, e, all[round%3:], round%4/3)
		for _, err := range []error{e.Void(round, true), e.Void(round/2, round%2 == 0), e.Rename(round%7, fmt.Sprint("Team ", round)), e.Rest(round%5, round%3 == 0)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if round == 20 {
			before, _ = os.ReadFile(path)
		}
	}
	want := shownOf(t, e)
	e.Close()
	newest, err := os.ReadFile(path)
	if err != nil || len(before) == 0 || string(before) == string(newest) {
		t.Fatalf("there are no checkpoints: %v", err)
	}
	damaged := append([]byte(nil), newest...)
	damaged[len(damaged)/2] ^= 1
	for _, tt := range []struct {
		name string
		text []byte
		used bool
	}{{"the newest", newest, true}, {"an older one", before, true}, {"a damaged one", damaged, false}, {"none", nil, false}} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, tt.text, 0o600); err != nil {
				t.Fatal(err)
			}
			e := mustOpen(t, dir)
			defer e.Close()
			if used := e.saved > 0; used != tt.used {
				t.Errorf("the checkpoint is used: %t", used)
			}
			for i, got := range shownOf(t, e) {
				if !reflect.DeepEqual(got, want[i]) {
					t.Errorf("part %d is %+v, was %+v", i, got, want[i])
				}
			}
		})
	}
	e = mustOpen(t, dir)
	e.saves = 1
	playRound(t, e, all, 0) // which writes a checkpoint
	want = shownOf(t, e)
	e.Close()
	e = mustOpen(t, dir)
	if got := shownOf(t, e); e.state.rows.first == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("from match %d on in memory, the event is %+v, was %+v", e.state.rows.first, got, want)
	}
	if err := e.Void(2, true); err != nil { // a match that is not in memory
		t.Fatal(err)
	}
	if teams, err := e.teamsIn(0); err != nil || len(teams) < 2 {
		t.Errorf("the first match has the teams %v, %v", teams, err)
	}
	want = shownOf(t, e)
	e.Close()
	for range 2 { // with the checkpoint, and without
		e = mustOpen(t, dir)
		if got := shownOf(t, e); !reflect.DeepEqual(got, want) {
			t.Errorf("with a match void that came before the checkpoint, the event is %+v, was %+v", got, want)
		}
		e.Close()
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// An event of many matches is opened from its checkpoint, and a page costs the same as with few. The test prints how long both take.
func TestManyMatches(t *testing.T) {
	thorough.Long(t)
	const teams = 40
	rounds := thorough.Size(150, 100_000/14+1)
	dir := t.TempDir()
	e := mustOpen(t, dir)
	var all []int
	for i := range teams {
		all = append(all, i)
		signUp(t, e, fmt.Sprint("Team ", i))
	}
	writeRounds(t, dir, e, all, rounds)
	e.Close()

	opened := func() (*Event, time.Duration) {
		began := time.Now()
		e := mustOpen(t, dir)
		return e, time.Since(began)
	}
	e, whole := opened()
	matches, began := e.View().Matches, time.Now()
	want := shownOf(t, e)
	first := time.Since(began)
	e.saves = 0
	playRound(t, e, all[:2], 0)
	want[0] = e.comparable()
	e.Close()
	e, quick := opened()
	defer e.Close()
	if got := e.comparable(); !reflect.DeepEqual(got, want[0]) || len(e.state.rows.list) > 100 {
		t.Errorf("from the checkpoint, %d rows are read, and the event is %+v, was %+v", len(e.state.rows.list), got, want[0])
	}
	began = time.Now()
	const views = 100
	for i := range views {
		e.View()
		e.TeamView(i % teams)
		e.Versions(i % teams)
	}
	t.Logf("%d matches of %d teams: opened in %v without a checkpoint, with one in %v; the first standings in %v, then a page in %v",
		matches, teams, whole, quick, first, time.Since(began)/views)
}

// writeRounds writes rounds to both logs, as an event does, but without a sync for each.
func writeRounds(t *testing.T, dir string, e *Event, all []int, rounds int) {
	t.Helper()
	var acts, rows []byte
	k := 0
	for round := range rounds {
		var matches [][]int
		for i := 0; i < len(all); i += 3 {
			match := []int{}
			for j := i; j < min(i+3, len(all)); j++ {
				match = append(match, (all[j]*[]int{1, 3, 7}[round%3]+round)%len(all)) // 3 and 7 have no factor in common with 40
			}
			matches = append(matches, match)
		}
		acts = (&Act{Kind: begun, First: k, Matches: matches}).append(acts)
		for _, m := range matches {
			row := rowOf(e, m)
			row.K = k
			rows = row.Append(rows)
			k++
		}
	}
	appendTo(t, filepath.Join(dir, actsFile), acts)
	appendTo(t, filepath.Join(dir, rowsFile), rows)
}

func appendTo(t *testing.T, path string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err = f.Close(); err != nil {
		t.Fatal(err)
	}
}
