package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/stages"
)

// playFinal plays a final to its end, in whose matches the team wins that comes first in the given
// order, and returns the stages with their tables. Every third round the event is folded again, and
// in every fourth one match has no result.
func playFinal(t *testing.T, d *day, order []int) (string, *day) {
	t.Helper()
	var stages []string
	for round := 1; d.final.Pending(); round++ {
		if round > 100 {
			t.Fatalf("the final does not end: %q", stages)
		}
		now := d.FinalView()
		text := now.Stage
		for _, table := range now.Tables {
			text += " " + strings.Join(table.Teams, "+")
		}
		if len(stages) == 0 || stages[len(stages)-1] != text {
			stages = append(stages, text)
		}
		d.do(d.StartFinalRound(), nil)
		for i, teams := range d.Last().Matches {
			if round%4 == 0 && i == 0 {
				continue // it was interrupted
			}
			row := d.row(teams)
			for seat, team := range teams {
				row.Ranks[seat] = 1
				for _, other := range teams {
					if slices.Index(order, other) < slices.Index(order, team) {
						row.Ranks[seat]++
					}
				}
			}
			d.add(row)
		}
		if round%3 == 0 {
			d = d.refolded()
		}
	}
	return strings.Join(stages, "\n"), d
}

// unofficial is the official standings of an event without an official match.
var unofficial = new(Official)

// Finals end with the best team first, whatever the format, the number of teams and of matches, and
// whatever is interrupted. They leave standings as they are.
func TestFinals(t *testing.T) {
	for _, tt := range []struct {
		format      string
		teams, best int
		stages      string
	}{
		{stages.KnockOut, 2, 3, "final A+B"},
		{stages.KnockOut, 6, 1, "knock-out round 1 A+F B+E C+D\nfinal F+E+D"},
		{stages.KnockOut, 7, 3, ""},
		{stages.GroupStage, 12, 1, ""},
		{stages.GroupStage, 14, 2, ""},
	} {
		names, all := []string{}, []int{}
		for team := range tt.teams {
			names, all = append(names, string(rune('A'+team))), append(all, team)
		}
		d := newDay(t, names...)
		for range 40 {
			d.play(all, 0) // so that A leads, then B
		}
		before := d.Standings()
		d.do(d.StartFinal(tt.format, tt.teams, tt.best, unofficial))
		if _, err := d.StartFinal(tt.format, tt.teams, tt.best, unofficial); err == nil {
			t.Error("a second final begins during the first")
		}
		slices.Reverse(all) // the last seeds win
		stages, d := playFinal(t, d, all)
		v := d.FinalView()
		ok := v.Over && len(v.Places) > 0 && v.Places[0] == names[tt.teams-1]
		if !ok || tt.stages != "" && stages != tt.stages {
			t.Errorf("%s of %d, best of %d, ends as %+v\n%s", tt.format, tt.teams, tt.best, v, stages)
		}
		if after := d.Standings(); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the final changes the standings from %v to %v", before, after)
		}
		d.do(d.EndFinal())
		if d.FinalView() != nil {
			t.Error("the final is not taken back")
		}
	}
}

// Finals that cannot be played are refused with the reason.
func TestFinalRefused(t *testing.T) {
	d := newDay(t, "A", "B", "C")
	for _, tt := range []struct {
		format      string
		teams, best int
		says        string
	}{
		{stages.KnockOut, 2, 1, "two teams or more that have played"},
		{"swiss", 2, 1, "want knockout or groups"},
		{stages.KnockOut, 1, 1, "want 2 to"},
		{stages.KnockOut, 2, 99, "best of 99"},
	} {
		_, err := d.StartFinal(tt.format, tt.teams, tt.best, unofficial)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	d.play([]int{0, 1, 2}, 0)
	_, err := d.StartFinal(stages.GroupStage, 0, 1, unofficial)
	if err == nil || !strings.Contains(err.Error(), "need") {
		t.Errorf("groups of three teams: %v", err)
	}
	if _, err := d.EndFinal(); err == nil {
		t.Error("no final is taken back")
	}
}
