package standings_test

import (
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// A comparison and a cup of two bots have their answer as one sentence.
func TestAnswer(t *testing.T) {
	won, tied, lost := [3]int{0, 1, 2}, [3]int{0, 1, 1}, [3]int{0, 1, 0}
	for _, tt := range []struct {
		format plan.Format
		block  [3]int // bots and halves of the first
		blocks int
		want   string
	}{
		{plan.Comparison, won, 0, "It is not decided whether hun\x1b[2Jter is better."},
		{plan.RoundRobin, won, 0, ""},
		{
			plan.RoundRobin, won, 20,
			"=painter is better than hun\x1b[2Jter: +317 Elo or more, 40 matches.",
		},
		{
			plan.RoundRobin, tied, 20,
			"No difference between =painter and hun\x1b[2Jter was found after 40 matches.",
		},
		{
			plan.RoundRobin, lost, 20,
			"=painter is worse than hun\x1b[2Jter: -317 Elo or less, 40 matches.",
		},
	} {
		p := cuptest.Plan(tt.format, 2, 2)
		var list [][3]int
		for range tt.blocks {
			list = append(list, tt.block)
		}
		if got := of(t, p, blocks(p, list...)).Table(10).Answer; got != tt.want {
			t.Errorf("%s, %v × %d: %q, want %q", tt.format, tt.block, tt.blocks, got, tt.want)
		}
	}
}
