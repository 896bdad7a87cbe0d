package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// playFinal plays a final to its end, in whose matches the team wins that comes first in the given order, and returns the stages with their
// tables. Every third round it forgets what it knows and reads it from the folder, and every fourth one match has no result.
func playFinal(t *testing.T, e *Event, order []int) (string, *Event) {
	t.Helper()
	var stages []string
	for round := 1; e.finalPending(); round++ {
		if round > 100 {
			t.Fatalf("the final does not end: %q", stages)
		}
		now := e.Final()
		text := now.Stage
		for _, table := range now.Tables {
			text += " " + strings.Join(table.Teams, "+")
		}
		if len(stages) == 0 || stages[len(stages)-1] != text {
			stages = append(stages, text)
		}
		r, err := e.beginFinal()
		if err != nil {
			t.Fatal(err)
		}
		for i, teams := range r.Matches {
			if round%4 == 0 && i == 0 {
				continue // it was interrupted
			}
			row := rowOf(e, teams)
			for seat, team := range teams {
				row.Ranks[seat] = 1
				for _, other := range teams {
					if slices.Index(order, other) < slices.Index(order, team) {
						row.Ranks[seat]++
					}
				}
			}
			if err := e.Add(t.Context(), row, ""); err != nil {
				t.Fatal(err)
			}
		}
		if round%3 == 0 {
			dir := e.dir
			e.Close()
			e = mustOpen(t, dir)
		}
	}
	return strings.Join(stages, "\n"), e
}

// Finals end with the best team first, whatever the format, the number of teams and of matches, and whatever is interrupted. They leave standings
// as they are.
func TestFinals(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct {
		format      string
		teams, best int
		stages      string
	}{
		{knockOut, 2, 3, "final A+B"},
		{knockOut, 6, 1, "knock-out round 1 A+F B+E C+D\nfinal F+E+D"},
		{knockOut, 7, 3, ""},
		{groupStage, 12, 1, ""},
		{groupStage, 14, 2, ""},
	} {
		e := mustOpen(t, t.TempDir())
		names, all := []string{}, []int{}
		for team := range tt.teams {
			names, all = append(names, string(rune('A'+team))), append(all, team)
		}
		signUp(t, e, names...)
		for range 40 {
			playRound(t, e, all, 0) // so that A leads, then B
		}
		before := e.View().Standings
		if err := e.StartFinal(tt.format, tt.teams, tt.best); err != nil {
			t.Fatal(tt.format, tt.teams, err)
		}
		if e.StartFinal(tt.format, tt.teams, tt.best) == nil {
			t.Error("a second final begins during the first")
		}
		slices.Reverse(all) // the last seeds win
		stages, e := playFinal(t, e, all)
		v := e.Final()
		if !v.Over || len(v.Places) == 0 || v.Places[0] != names[tt.teams-1] || tt.stages != "" && stages != tt.stages {
			t.Errorf("%s of %d, best of %d, ends as %+v\n%s", tt.format, tt.teams, tt.best, v, stages)
		}
		if after := e.View().Standings; fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the final changes the standings from %v to %v", before, after)
		}
		if err := e.EndFinal(); err != nil || e.Final() != nil {
			t.Errorf("the final is not taken back: %v", err)
		}
		e.Close()
	}
}

// Finals that cannot be played are refused with the reason.
func TestFinalRefused(t *testing.T) {
	e := mustOpen(t, t.TempDir())
	defer e.Close()
	signUp(t, e, "A", "B", "C")
	for _, tt := range []struct {
		format      string
		teams, best int
		says        string
	}{{knockOut, 2, 1, "two teams or more that have played"}, {"swiss", 2, 1, "want knockout or groups"}, {knockOut, 1, 1, "want 2 to"}, {knockOut, 2, 99, "best of 99"}} {
		if err := e.StartFinal(tt.format, tt.teams, tt.best); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	playRound(t, e, []int{0, 1, 2}, 0)
	if err := e.StartFinal(groupStage, 0, 1); err == nil || !strings.Contains(err.Error(), "need") {
		t.Errorf("groups of three teams: %v", err)
	}
	if e.EndFinal() == nil {
		t.Error("no final is taken back")
	}
}
