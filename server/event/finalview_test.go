package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// shownStages returns the stages of a final with their tables and points, as one line each, and how many tables are to come.
func shownStages(f *FinalView) string {
	var text strings.Builder
	for _, s := range f.Stages {
		text.WriteString(s.Name)
		for _, t := range s.Tables {
			fmt.Fprintf(&text, " %s %v/%d", strings.Join(t.Teams, "+"), t.Points, t.Left)
		}
		text.WriteString("\n")
	}
	fmt.Fprint(&text, f.Later)
	return text.String()
}

// A final is shown with all stages that it has reached, and the screen has it as before the round whose match it shows, until another round begins.
func TestFinalView(t *testing.T) {
	thorough.Long(t)
	for format, want := range map[string][2]string{
		knockOut:   {"knock-out round 1 A+D [0 0]/1 B+C [0 0]/1\n[1]", "knock-out round 1 A+D [2 0]/0 B+C [2 0]/0\nfinal A+B [0 0]/1\n[]"},
		groupStage: {"groups A+D+E [0 0 0]/3 B+C+F [0 0 0]/3\n[2 1]", "groups D+A+E [2 0 0]/2 C+B+F [2 0 0]/2\n[2 1]"},
	} {
		e := mustOpen(t, t.TempDir())
		e.plan.Seats = 2
		teams := map[string]int{knockOut: 4, groupStage: 6}[format]
		all := []int{0, 1, 2, 3, 4, 5}[:teams]
		signUp(t, e, strings.Split("ABCDEF", "")[:teams]...)
		for range 40 {
			playRound(t, e, all, 0)
		}
		if now, before := e.screenFinal(); now != nil || before != nil {
			t.Errorf("without a final the screen shows %+v after %+v", now, before)
		}
		if err := e.StartFinal(format, 0, 1); err != nil {
			t.Fatal(err)
		}
		rounds := 0
		for ; e.finalPending(); rounds++ {
			r, err := e.beginFinal()
			if err != nil {
				t.Fatal(err)
			}
			began := shownStages(e.Final())
			for _, teams := range r.Matches {
				row := rowOf(e, teams)
				for seat, team := range teams {
					row.Ranks[seat] = 1 + slices.Index(slices.Sorted(slices.Values(teams)), team)
				}
				if err := e.Add(t.Context(), row, ""); err != nil {
					t.Fatal(err)
				}
			}
			now, before := e.screenFinal()
			if shownStages(before) != began {
				t.Errorf("before the round the screen shows\n%s\nwant\n%s", shownStages(before), began)
			}
			if got := [2]string{began, shownStages(now)}; rounds == 0 && got != want {
				t.Errorf("%s is shown as\n%s\nand then as\n%s\nwant\n%s\nand\n%s", format, got[0], got[1], want[0], want[1])
			}
		}
		if now, _ := e.screenFinal(); !now.Over || now.Places[0] != "A" || len(now.Later) > 0 {
			t.Errorf("the end is shown as %+v", now)
		}
		playRound(t, e, all, 0)
		if now, _ := e.screenFinal(); now != nil {
			t.Errorf("in the next round the screen shows %+v", now)
		}
		e.Close()
	}
}
