package cup

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
)

// A bot that fails in three matches in a row is not started any more in that stretch, whatever the
// other bots do; one that fails less often is. Those that failed rank below all others, and those
// that were not there last.
func TestForfeits(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	c := contest(t, plan.RoundRobin, 90, 3, []string{"random", "painter", "crasher", "sometimes"},
		"clover")
	stretches := (90 + c.Plan.Stretch() - 1) / c.Plan.Stretch()
	failures := map[string]int{}
	kinds := map[string]map[string]int{}
	for _, row := range rowsOf(t, playAll(t, c, t.TempDir(), 3)) {
		if row.K%c.Plan.Stretch() == 0 {
			clear(failures)
		}
		for i, bot := range row.Bots {
			kind := row.Forfeits[i]
			if kinds[bot] == nil {
				kinds[bot] = map[string]int{}
			}
			kinds[bot][kind]++
			switch {
			case (failures[bot] >= MaxFailures) != (kind == results.Unstarted):
				t.Errorf("match %d: after %d failures, %s is %q", row.K, failures[bot], bot, kind)
			case kind == "" && failures[bot] < MaxFailures:
				failures[bot] = 0
			case kind != "":
				failures[bot]++
			}
			for j, other := range row.Forfeits {
				if kind == "" && other != "" && row.Ranks[i] >= row.Ranks[j] ||
					results.TookPart(kind) && !results.TookPart(other) && row.Ranks[i] >= row.Ranks[j] {
					t.Errorf("match %d: forfeits %q have the ranks %v", row.K, row.Forfeits, row.Ranks)
				}
			}
		}
	}
	if k := kinds["crasher"]; k[results.Crash] != stretches*MaxFailures || k[results.Unstarted] == 0 || len(k) != 2 {
		t.Errorf("the crasher's matches are %v", k)
	}
	if k := kinds["sometimes"]; k[""] == 0 || k[results.Crash] == 0 {
		t.Errorf("the matches of the bot that fails sometimes are %v", k)
	}
	if k := kinds["random"]; len(k) != 1 || k[""] == 0 {
		t.Errorf("the matches of a bot that holds out are %v", k)
	}
}

// A version that has several seats of a match fails in it once.
func TestForfeitsOfSeveralSeats(t *testing.T) {
	c := contest(t, plan.Comparison, 16, 4, []string{"crasher", "random"}, "crossroads")
	for _, row := range rowsOf(t, playAll(t, c, t.TempDir(), 2)) {
		want := results.Crash
		if row.K >= MaxFailures {
			want = results.Unstarted
		}
		for i, bot := range row.Bots {
			if kind := row.Forfeits[i]; bot == "crasher" && kind != want || bot == "random" && kind != "" {
				t.Errorf("match %d: %s is %q", row.K, bot, kind)
			}
		}
	}
}

// Matches between bots of which one is not started are rows as well, and are not played.
func TestNoOpponent(t *testing.T) {
	c := contest(t, plan.RoundRobin, 24, 2, []string{"random", "crasher"}, "pebble")
	rows := rowsOf(t, playAll(t, c, t.TempDir(), 4))
	if len(rows) != 24 {
		t.Fatalf("the log has %d rows, want 24", len(rows))
	}
	for _, row := range rows {
		if row.K%c.Plan.Stretch() < MaxFailures {
			continue
		}
		i := slices.Index(row.Bots, "crasher")
		if row.Forfeits[i] != results.Unstarted || row.Ranks[i] != 2 || row.Ranks[1-i] != 1 ||
			row.Digest != 0 {
			t.Errorf("row %d is %+v", row.K, row)
		}
	}
}
