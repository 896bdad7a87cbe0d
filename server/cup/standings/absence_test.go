package standings_test

import (
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// A bot that was in none of its matches ranks last and has no estimate, even if it has beaten
// another one that was not there either; and the test of a comparison decides nothing by such
// matches.
func TestMissing(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	list := [][3]int{{0, 1, 2}, {1, 2, 2}, {0, 2, 1}, {0, 1, 2}}
	rows := blocks(p, list...)
	for _, row := range rows {
		for seat, bot := range row.Bots {
			if bot != p.Bots[1].Name {
				continue
			}
			if row.Forfeits[seat] = results.Unstarted; row.K < 2 {
				row.Forfeits[seat] = results.Absent
			}
			row.Forfeits[1-seat] = "" // of bot 2 it is not known whether it was there
		}
	}
	table := of(t, p, rows).Table(50)
	bots, ranks := names(p, table)
	if last := table.Bots[2]; bots[2] != 1 || ranks[2] != 3 || !last.Missing || last.Elo != nil ||
		table.Bots[1].Missing {
		t.Errorf("the order is %v with ranks %v, the last %+v", bots, ranks, last)
	}
	if absences := table.Absences(p); len(absences) > 0 {
		t.Errorf("without one of three bots nothing is said: %q", absences)
	}
	q := cuptest.Plan(plan.Comparison, 2, 2)
	var twos [][3]int
	for range 100 {
		twos = append(twos, [3]int{1, 0, 2})
	}
	rows = blocks(q, twos...)
	for _, row := range rows {
		row.Forfeits[1] = results.Absent
	}
	s := of(t, q, rows)
	if table := s.Table(50); s.Verdict() != 0 || table.Test.Verdict != "undecided" ||
		len(table.Comparisons) > 0 || len(table.Absences(q)) != 1 {
		t.Errorf("a comparison with a missing bot: verdict %v, %+v, %q", s.Verdict(), table.Comparisons,
			table.Absences(q))
	}
}
