package results

import (
	"slices"
	"testing"
)

// Those that played to the end come before those that left, and these before those that were never
// there.
func TestRank(t *testing.T) {
	for _, tt := range []struct {
		scores   []int64
		forfeits []string
		want     []int
	}{
		{[]int64{3, 9, 5}, []string{"", "", ""}, []int{3, 1, 2}},
		{[]int64{5, 5, 1}, []string{"", "", ""}, []int{1, 1, 3}},
		{[]int64{3, 9, 5}, []string{"", Crash, ""}, []int{2, 3, 1}},
		{[]int64{3, 9, 5, 5}, []string{"", Left, Hung, Crash}, []int{1, 2, 3, 3}},
		{[]int64{0, 9, 5, 0}, []string{Crash, Absent, Unstarted, ""}, []int{2, 3, 3, 1}},
	} {
		row := New(0, 1, "board", make([]string, len(tt.scores)))
		row.Scores, row.Forfeits = tt.scores, tt.forfeits
		if row.Rank(); !slices.Equal(row.Ranks, tt.want) || !row.Ranked() {
			t.Errorf("the ranks of scores %v with forfeits %q are %v, want %v", tt.scores, tt.forfeits,
				row.Ranks, tt.want)
		}
		if row.Ranks[1]++; row.Ranked() {
			t.Errorf("the ranks %v follow from the scores %v", row.Ranks, tt.scores)
		}
	}
}
