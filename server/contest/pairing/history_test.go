package pairing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// play plays rounds between all teams, with ratings that drift, and returns the history.
func play(t *testing.T, teams, seats, rounds int) *History {
	t.Helper()
	h := NewHistory(teams)
	rng := rand.New(rand.NewPCG(uint64(teams), uint64(seats)))
	ratings := make([]float64, teams)
	for range rounds {
		tables, resting := h.Round(numbered(teams), seats, ratings)
		seen := slices.Clone(resting)
		for _, table := range tables {
			if len(table) != seats {
				t.Fatalf("a table has %d teams, want %d", len(table), seats)
			}
			seen = append(seen, table...)
			h.Add(table)
		}
		slices.Sort(seen)
		if !slices.Equal(seen, numbered(teams)) || len(resting) != teams%seats {
			t.Fatalf("the tables %v and %v resting are not all teams", tables, resting)
		}
		for i := range ratings {
			ratings[i] += rng.NormFloat64()
		}
	}
	return h
}

// After 200 rounds the meetings of any two teams differ by at most 2, the games by 1, the
// seats of a team by 3.
func TestRoundsAreFair(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct{ teams, seats int }{
		{2, 2},
		{5, 2},
		{8, 2},
		{17, 2},
		{4, 3},
		{9, 3},
		{20, 3},
		{5, 4},
		{13, 4},
		{16, 4},
		{40, 4},
		{7, 6},
		{30, 6},
		{60, 4},
	} {
		t.Run(fmt.Sprintf("%d teams, %d seats", tt.teams, tt.seats), func(t *testing.T) {
			t.Parallel()
			h := play(t, tt.teams, tt.seats, 200)
			var games, meetings, seated spread
			for a := range tt.teams {
				games.add(h.Games(a))
				for b := range a {
					meetings.add(h.Meetings(a, b))
				}
				for s := range tt.seats {
					seated.add(h.Seated(a, s))
				}
			}
			t.Logf("games %v, meetings %v, seats %v", games, meetings, seated)
			if games.width() > 1 || meetings.width() > 2 || seated.width() > 3 {
				t.Errorf("games %v, meetings %v, seats %v", games, meetings, seated)
			}
			if tt.teams == 40 && meetings != (spread{15, 16, true}) {
				t.Errorf("40 teams at tables of 4 have met %v, want 15 to 16", meetings)
			}
		})
	}
}

// spread is the range of what was added.
type spread struct {
	least, most int
	any         bool
}

func (s *spread) add(n int) {
	if !s.any {
		*s = spread{n, n, true}
	}
	s.least, s.most = min(s.least, n), max(s.most, n)
}

func (s spread) width() int { return s.most - s.least }

func (s spread) String() string { return fmt.Sprintf("%d to %d", s.least, s.most) }

// For up to eight teams no other division costs less than the one that is found, in games
// between all, and among random histories.
func TestRoundIsBest(t *testing.T) {
	thorough.Long(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for teams := 2; teams <= 8; teams++ {
		for seats := 2; seats <= teams; seats++ {
			for range 40 {
				meetings := make([]int64, teams*teams)
				games := make([]int64, teams)
				for a := range teams {
					games[a] = rng.Int64N(4)
					for b := range a {
						meetings[a*teams+b] = rng.Int64N(20)
						meetings[b*teams+a] = meetings[a*teams+b]
					}
				}
				c := costs{
					together: func(a, b int) int64 { return meetings[a*teams+b] },
					resting:  func(team int) int64 { return 1000 * games[team] },
				}
				tables, resting := divide(numbered(teams), seats, c)
				if got, want := total(append(tables, resting), c), leastTotal(nil, numbered(teams), seats, c); got != want {
					t.Errorf("%d teams, %d seats: tables %v cost %d, want %d", teams, seats, tables, got, want)
				}
			}
		}
	}
}

// leastTotal returns the least costs of all divisions of the teams that are left into parts.
func leastTotal(parts [][]int, left []int, seats int, c costs) int64 {
	if len(left) < seats {
		return total(append(slices.Clone(parts), left), c)
	}
	least := int64(math.MaxInt64)
	var choose func(table []int, from int)
	choose = func(table []int, from int) {
		if len(table) == seats {
			rest := slices.DeleteFunc(slices.Clone(left),
				func(team int) bool { return slices.Contains(table, team) })
			least = min(least, leastTotal(append(slices.Clone(parts), slices.Clone(table)), rest, seats, c))
			return
		}
		for i := from; i < len(left); i++ {
			choose(append(slices.Clone(table), left[i]), i+1)
		}
	}
	choose(nil, 0)
	return least
}

// total returns the costs of a division whose last part rests.
func total(parts [][]int, c costs) int64 {
	sum := int64(0)
	for p, part := range parts {
		for i, team := range part {
			if p == len(parts)-1 {
				sum += c.resting(team)
				continue
			}
			for _, other := range part[:i] {
				sum += c.together(team, other)
			}
		}
	}
	return sum
}

// Ratings decide only between divisions that are equally good otherwise, and a team that has
// played less than the others never rests.
func TestRoundPriorities(t *testing.T) {
	h := NewHistory(4)
	ratings := []float64{10, 40, 20, 30}
	tables, _ := h.Round(numbered(4), 2, ratings)
	if got := sorted(tables); !slices.EqualFunc(got, [][]int{{0, 2}, {1, 3}}, slices.Equal) {
		t.Errorf("the first tables are %v, want those of similar rating", got)
	}
	for _, table := range tables {
		h.Add(table)
	}
	if tables, _ = h.Round(numbered(4), 2, ratings); slices.ContainsFunc(tables, func(t []int) bool { return h.Meetings(t[0], t[1]) > 0 }) {
		t.Errorf("teams that have met are at one table: %v", tables)
	}
	h = NewHistory(5)
	h.Add([]int{0, 1, 2, 3})
	if _, resting := h.Round(numbered(5), 4, nil); slices.Contains(resting, 4) {
		t.Error("the team that has not played rests")
	}
}

// sorted returns tables with their teams, and themselves, in order.
func sorted(tables [][]int) [][]int {
	list := make([][]int, len(tables))
	for i, table := range tables {
		list[i] = slices.Sorted(slices.Values(table))
	}
	slices.SortFunc(list, slices.Compare)
	return list
}
