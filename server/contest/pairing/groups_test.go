package pairing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// In each group all meet and play equally often, at full tables; with two seats no two meet twice.
func TestGroupStage(t *testing.T) {
	thorough.Long(t)
	for seats := 2; seats <= 6; seats++ {
		for teams := 2; teams <= 48; teams++ {
			g, err := NewGroupStage(teams, seats)
			least := 2 * (seats + 1)
			if seats%2 == 1 {
				least = seats * (seats + 1)
			}
			if (err != nil) != (teams < least) {
				t.Fatalf("%d teams, %d seats: %v", teams, seats, err)
			}
			if err != nil {
				continue
			}
			h := NewHistory(teams)
			for _, round := range g.Rounds {
				busy := map[int]bool{}
				for _, table := range round {
					h.Add(table)
					for _, team := range table {
						if busy[team] || len(table) != seats {
							t.Fatalf("%d teams, %d seats: the round %v", teams, seats, round)
						}
						busy[team] = true
					}
				}
			}
			for _, group := range g.Groups {
				for _, a := range group {
					for _, b := range group {
						if met := h.Meetings(a, b); a != b && (met == 0 || seats == 2 && met != 1) ||
							h.Games(a) != h.Games(b) {
							t.Errorf("%d teams, %d seats: %d and %d met %d times in %d and %d matches", teams, seats, a,
								b, met, h.Games(a), h.Games(b))
						}
					}
				}
			}
			b := NewBracket(g.GoOn(make([]int, teams)), seats)
			for i, table := range b.Tables() {
				if len(table) != seats || !b.Played(i) {
					t.Errorf("%d teams, %d seats: the knock-out begins with %v", teams, seats, b.Tables())
				}
			}
		}
	}
}

// The winner of a group meets the second of another one first, and that of its own in the final
// only.
func TestGoOn(t *testing.T) {
	for teams, want := range map[int]string{
		8: "[[A1 B2] [B1 A2]]", 16: "[[A1 B2] [D1 C2] [B1 A2] [C1 D2]]",
		17: "[[A1 B2] [D1 C2] [B1 A2] [C1 D2]]",
	} {
		g, err := NewGroupStage(teams, 2)
		if err != nil {
			t.Fatal(err)
		}
		names := map[int]string{}
		for i, group := range g.Groups {
			for place, team := range group {
				names[team] = fmt.Sprintf("%c%d", 'A'+i, place+1)
			}
		}
		var tables [][]string
		for _, table := range NewBracket(g.GoOn(make([]int, teams)), 2).Tables() {
			var list []string
			for _, team := range table {
				list = append(list, names[team])
			}
			tables = append(tables, list)
		}
		if got := fmt.Sprint(tables); got != want {
			t.Errorf("%d teams: %s, want %s", teams, got, want)
		}
	}
	g, _ := NewGroupStage(8, 2)
	scores := make([]int, 8)
	scores[7], scores[6] = 3, 2
	if got := g.GoOn(scores); !slices.Equal(got[:2], []int{7, 6}) {
		t.Errorf("the last seeds won their groups, and %v go on", got)
	}
	if groups, knockOut := g.Tables(); groups != 12 || knockOut != 3 {
		t.Errorf("there are %d and %d tables, want 12 and 3", groups, knockOut)
	}
	if _, err := NewGroupStage(5, 2); err == nil ||
		!strings.Contains(err.Error(), "need 6 teams or more") {
		t.Errorf("five teams: %v", err)
	}
}
