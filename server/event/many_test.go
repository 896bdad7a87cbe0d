package event

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/event/state"
)

// shownOf returns all that pages show of an event, and the matches of a round that would begin.
func shownOf(t *testing.T, e *Event) (all []any) {
	t.Helper()
	all = append(all, e.comparable(), e.ResultBefore(), e.recent, e.Code())
	for i := range e.state.Teams.All() {
		v, _ := e.TeamView(i)
		all = append(all, v, e.state.VersionResults(i))
	}
	return append(all, e.state.StartRound([]int{0, 1}, false))
}

// An event of many matches is the same when it is opened again, and a page takes as long as with
// few. The test prints how long both take.
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

	e = mustOpen(t, dir)
	playRound(t, e, all[:2], 0)
	want := shownOf(t, e)
	e.Close()
	began := time.Now()
	e = mustOpen(t, dir)
	defer e.Close()
	opened := time.Since(began)
	began = time.Now()
	got := shownOf(t, e)
	first := time.Since(began)
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("part %d is %+v, was %+v", i, got[i], want[i])
		}
	}
	began = time.Now()
	const views = 100
	for i := range views {
		e.View()
		e.TeamView(i % teams)
		e.state.VersionResults(i % teams)
	}
	t.Logf("%d matches of %d teams: opened in %v; the first standings in %v, then a page in %v",
		e.View().Matches, teams, opened, first, time.Since(began)/views)
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
				// 3 and 7 have no factor in common with 40
				match = append(match, (all[j]*[]int{1, 3, 7}[round%3]+round)%len(all))
			}
			matches = append(matches, match)
		}
		acts = state.AppendAct(acts, &state.RoundStarted{First: k, Matches: matches}, 1)
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
