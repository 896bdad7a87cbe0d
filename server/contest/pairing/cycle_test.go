package pairing

import (
	"fmt"
	"slices"
	"testing"
)

// A cycle has each combination once, or rounds; wherever it ends, games and meetings are balanced.
func TestCycle(t *testing.T) {
	for _, tt := range []struct{ teams, seats, tables, games, meetings int }{
		{2, 2, 1, 0, 0},
		{5, 2, 10, 2, 1},
		{17, 2, 136, 2, 1},
		{40, 2, 780, 1, 1},
		{4, 3, 4, 1, 2},
		{6, 4, 15, 2, 3},
		{8, 4, 70, 1, 4},
		{12, 6, 924, 1, 6},
		{40, 4, 2000, 1, 3},
		{3, 4, 1, 0, 0},
	} {
		t.Run(fmt.Sprintf("%d teams, %d seats", tt.teams, tt.seats), func(t *testing.T) {
			t.Parallel()
			cycle, even := Cycle(tt.teams, tt.seats)
			if len(cycle) != tt.tables || even != (tt.tables < maxCycle) {
				t.Fatalf("there are %d tables, even: %v, want %d", len(cycle), even, tt.tables)
			}
			h := NewHistory(tt.teams)
			widestGames, widestMeetings := 0, 0
			for _, table := range cycle {
				h.Add(table)
				var games, meetings spread
				for a := range tt.teams {
					games.add(h.Games(a))
					for b := range a {
						meetings.add(h.Meetings(a, b))
					}
				}
				widestGames, widestMeetings = max(widestGames, games.width()), max(widestMeetings, meetings.width())
			}
			if widestGames > tt.games || widestMeetings > tt.meetings {
				t.Errorf("games differ by up to %d, meetings by %d, want %d and %d", widestGames,
					widestMeetings, tt.games, tt.meetings)
			}
			distinct := sorted(cycle)
			if n := len(slices.CompactFunc(distinct, slices.Equal)); n != len(cycle) &&
				tt.tables < maxCycle {
				t.Errorf("of %d tables %d are distinct", len(cycle), n)
			}
		})
	}
}
