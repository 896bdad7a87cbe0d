package cup

import (
	"fmt"
	"slices"
	"testing"
)

// Processors are divided between the bots of all matches that are played at once, if there are
// enough.
func TestCoreSlots(t *testing.T) {
	for _, tt := range []struct {
		cores       []int
		jobs, seats int
		want        string
	}{
		{[]int{3, 5, 7, 9}, 2, 2, "[[3] [5] [7] [9]]"},
		{[]int{3, 5, 7}, 2, 2, "[[] [] [] []]"},
		{[]int{0, 1, 2, 3, 4, 5, 6}, 1, 3, "[[0 1] [2 3] [4 5]]"},
		{nil, 1, 2, "[[] []]"},
	} {
		s := newCoreSlots(tt.cores, tt.jobs, tt.seats)
		var slots []int
		for range tt.jobs {
			slots = append(slots, s.take())
		}
		slices.Sort(slots)
		var got [][]int
		for _, slot := range slots {
			for seat := range tt.seats {
				got = append(got, s.of(slot, seat))
			}
			s.give(slot)
		}
		if fmt.Sprint(got) != tt.want || len(s.free) != tt.jobs {
			t.Errorf("%v for %d matches of %d: %v, want %s", tt.cores, tt.jobs, tt.seats, got, tt.want)
		}
	}
}
