package pairing

import (
	"fmt"
	"slices"
	"testing"
)

func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		teams, groups int
		want          string
	}{
		{8, 2, "[[0 3 4 7] [1 2 5 6]]"},
		{7, 3, "[[0 5 6] [1 4] [2 3]]"},
		{3, 1, "[[0 1 2]]"},
	} {
		if got := fmt.Sprint(Groups(numbered(tt.teams), tt.groups)); got != tt.want {
			t.Errorf("%d teams in %d groups: %s, want %s", tt.teams, tt.groups, got, tt.want)
		}
	}
}

func TestFirstRoundOfBracket(t *testing.T) {
	for _, tt := range []struct {
		teams, seats int
		want         string
	}{
		{8, 2, "[[0 7] [3 4] [1 6] [2 5]]"},
		{6, 2, "[[0] [3 4] [1] [2 5]]"},
		{5, 2, "[[0] [3 4] [1] [2]]"},
		{2, 2, "[[0 1]]"},
		{3, 4, "[[0 1 2]]"},
		{8, 4, "[[0 3 4 7] [1 2 5 6]]"},
		{16, 4, "[[0 7 8 15] [3 4 11 12] [1 6 9 14] [2 5 10 13]]"},
		{9, 3, "[[0 5 6] [1 4 7] [2 3 8]]"},
	} {
		if got := fmt.Sprint(NewBracket(numbered(tt.teams), tt.seats).Tables()); got != tt.want {
			t.Errorf("%d teams, %d seats: %s, want %s", tt.teams, tt.seats, got, tt.want)
		}
	}
}

// Whatever the numbers, the best seed wins if the better team always wins, the final has the best
// seeds, and no table is larger than the seats.
func TestBracket(t *testing.T) {
	for teams := 1; teams <= 70; teams++ {
		for seats := 2; seats <= 6; seats++ {
			b := NewBracket(numbered(teams), seats)
			for rounds := 1; ; rounds++ {
				var standings [][]int
				for i, table := range b.Tables() {
					if len(table) > seats || len(table) == 0 {
						t.Fatalf("%d teams, %d seats: the tables are %v", teams, seats, b.Tables())
					}
					if !b.Played(i) && !b.Final() && len(table) > b.advance {
						t.Errorf("%d teams, %d seats: table %v is not played", teams, seats, table)
					}
					standings = append(standings, slices.Sorted(slices.Values(table)))
				}
				if b.Final() {
					want := numbered(min(teams, b.advance*b.together))
					if final := standings[0]; rounds > 1 && !slices.Equal(final, want) {
						t.Errorf("%d teams, %d seats: the final is %v, want %v", teams, seats, final, want)
					}
					break
				}
				b.Next(standings)
			}
		}
	}
}
