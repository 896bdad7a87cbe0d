package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/stages"
)

// shownStages returns the stages of a final with their tables and points, a line for each, and the
// numbers of tables that are to come.
func shownStages(f *stages.View) string {
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

// A final is shown with all stages that it has reached, and as before the round whose match is
// shown, until another round begins.
func TestFinalView(t *testing.T) {
	for format, want := range map[string][2]string{
		stages.KnockOut: {
			"knock-out round 1 A+D [0 0]/1 B+C [0 0]/1\n[1]",
			"knock-out round 1 A+D [2 0]/0 B+C [2 0]/0\nfinal A+B [0 0]/1\n[]",
		},
		stages.GroupStage: {
			"groups A+D+E [0 0 0]/3 B+C+F [0 0 0]/3\n[2 1]",
			"groups D+A+E [2 0 0]/2 C+B+F [2 0 0]/2\n[2 1]",
		},
	} {
		teams := map[string]int{stages.KnockOut: 4, stages.GroupStage: 6}[format]
		all := []int{0, 1, 2, 3, 4, 5}[:teams]
		d := newDay(t, strings.Split("ABCDEF", "")[:teams]...)
		d.seats = 2
		for range 40 {
			d.play(all, 0)
		}
		if now, before := d.PlayedFinal(); now != nil || before != nil {
			t.Errorf("without a final there is %+v after %+v", now, before)
		}
		d.do(d.StartFinal(format, 0, 1, unofficial))
		for rounds := 0; d.final.Pending(); rounds++ {
			d.do(d.StartFinalRound(), nil)
			began := shownStages(d.FinalView())
			for _, teams := range d.Last().Matches {
				row := d.row(teams)
				for seat, team := range teams {
					row.Ranks[seat] = 1 + slices.Index(slices.Sorted(slices.Values(teams)), team)
				}
				d.add(row)
			}
			now, before := d.PlayedFinal()
			if shownStages(before) != began {
				t.Errorf("before the round it is\n%s\nwant\n%s", shownStages(before), began)
			}
			if got := [2]string{began, shownStages(now)}; rounds == 0 && got != want {
				t.Errorf("%s is shown as\n%s\nand then as\n%s\nwant\n%s\nand\n%s",
					format, got[0], got[1], want[0], want[1])
			}
		}
		if now, _ := d.PlayedFinal(); !now.Over || now.Places[0] != "A" || len(now.Later) > 0 {
			t.Errorf("the end is shown as %+v", now)
		}
		d.play(all, 0)
		if now, _ := d.PlayedFinal(); now != nil {
			t.Errorf("in the next round there is %+v", now)
		}
	}
}
