package pairing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/server/contest/score"
)

// The first round has the best of the upper half against the best of the lower half, and so on, and
// at tables of four one team of each quarter. The last of an odd number rests.
func TestSwissFirstRound(t *testing.T) {
	for _, tt := range []struct {
		teams, seats int
		tables       string
		resting      []int
	}{
		{6, 2, "[[0 3] [1 4] [2 5]]", []int{}},
		{7, 2, "[[0 3] [1 4] [2 5]]", []int{6}},
		{8, 4, "[[0 2 4 6] [1 3 5 7]]", []int{}},
		{9, 3, "[[0 3 6] [1 4 7] [2 5 8]]", []int{}},
	} {
		tables, resting := Swiss(NewHistory(tt.teams), numbered(tt.teams), tt.seats, make([]int, tt.teams))
		if got := fmt.Sprint(sorted(tables)); got != tt.tables || !slices.Equal(resting, tt.resting) {
			t.Errorf("%d teams, %d seats: tables %s, resting %v, want %s and %v", tt.teams, tt.seats, got,
				resting, tt.tables, tt.resting)
		}
	}
}

// The rounds are those of bbpPairings, test/tests/dutch_2025_C5 and dutch_2025_C9, a checker that
// FIDE endorses, which print the same tables, with teams numbered from 1.
func TestSwissLikeChess(t *testing.T) {
	c5 := NewHistory(6)
	for _, table := range [][]int{{0, 3}, {4, 1}, {2, 5}, {1, 0}, {3, 2}, {5, 4}} {
		c5.Add(table)
	}
	c9 := NewHistory(5)
	for _, table := range [][]int{{0, 2}, {3, 1}} {
		c9.Add(table)
	}
	for _, tt := range []struct {
		name    string
		h       *History
		ready   []int // team 3 is absent in the third round of C5
		scores  []int
		tables  string
		resting []int
	}{
		{"C5", c5, []int{0, 1, 2, 4, 5}, []int{2, 1, 2, 0, 1, 0}, "[[0 4] [1 2]]", []int{5}},
		{"C9", c9, numbered(5), []int{1, 1, 0, 0, 0}, "[[0 1] [2 4]]", []int{3}},
	} {
		tables, resting := Swiss(tt.h, tt.ready, 2, tt.scores)
		if got := fmt.Sprint(sorted(tables)); got != tt.tables || !slices.Equal(resting, tt.resting) {
			t.Errorf("%s: tables %s, resting %v, want %s and %v", tt.name, got, resting, tt.tables,
				tt.resting)
		}
	}
}

// A contest in which the stronger team always wins: none meets another twice or rests twice, and
// the strongest is first.
func TestSwiss(t *testing.T) {
	for _, tt := range []struct{ teams, seats, rounds int }{
		{17, 2, 5}, {6, 2, 3}, {40, 2, 7}, {64, 2, 6}, {17, 4, 3}, {32, 4, 4}, {30, 3, 4},
	} {
		t.Run(fmt.Sprintf("%d teams, %d seats", tt.teams, tt.seats), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(tt.teams), uint64(tt.seats)))
			strength := rng.Perm(tt.teams)
			h, scores := NewHistory(tt.teams), make([]int, tt.teams)
			rested := make([]int, tt.teams)
			for range tt.rounds {
				tables, resting := Swiss(h, numbered(tt.teams), tt.seats, scores)
				for _, table := range tables {
					h.Add(table)
					ranks := make([]int, len(table))
					for i, team := range table {
						ranks[i] = -strength[team]
					}
					for i, team := range table {
						scores[team] += score.Halves(ranks, i)
					}
				}
				for _, team := range resting {
					h.Rest(team)
					rested[team]++
					scores[team] += 2 * (tt.seats - 1)
				}
			}
			for a := range tt.teams {
				if rested[a] > 1 {
					t.Errorf("team %d rests %d times", a, rested[a])
				}
				for b := range a {
					if met := h.Meetings(a, b); met > 1 {
						t.Errorf("teams %d and %d meet %d times", a, b, met)
					}
				}
			}
			if first := slices.Index(strength, tt.teams-1); scores[first] != slices.Max(scores) {
				t.Errorf("the strongest team has the score %d, the best %d", scores[first], slices.Max(scores))
			}
		})
	}
}
