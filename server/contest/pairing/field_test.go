package pairing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// attendances say which teams of a simulated event are ready in a round.
var attendances = map[string]func(rng *rand.Rand, round, team int) bool{
	"always": func(*rand.Rand, int, int) bool { return true },
	// Every third team joins late, and every fourth sleeps through the middle of the day.
	"late and asleep": func(_ *rand.Rand, round, team int) bool {
		return (team%3 != 1 || round >= 10+team) && (team%4 != 2 || round < 60+team || round >= 120-team)
	},
	"in and out": func(rng *rand.Rand, _, _ int) bool { return rng.IntN(4) > 0 },
	// Each team rests for some time, and returns.
	"shifts": func(_ *rand.Rand, round, team int) bool { return (round/7+team)%4 > 0 },
}

// day is a simulated event.
type day struct {
	*Field
	ready  [][]bool // by round and team
	played [][]bool
}

// playDay plays 200 rounds, with ratings that drift. Each round has each ready team once.
func playDay(
	t *testing.T, teams int, attends func(*rand.Rand, int, int) bool, rules FieldRules,
) *day {
	t.Helper()
	d := &day{Field: NewField()}
	rng := rand.New(rand.NewPCG(uint64(teams), uint64(rules.Seats)))
	ratings := make([]float64, teams)
	for team := range teams {
		d.AddTeam()
		ratings[team] = 5 * float64(team)
	}
	for round := range 200 {
		var ready []int
		d.ready, d.played = append(d.ready, make([]bool, teams)), append(d.played, make([]bool, teams))
		for team := range teams {
			if d.ready[round][team] = attends(rng, round, team); d.ready[round][team] {
				ready = append(ready, team)
			}
			ratings[team] += rng.NormFloat64()
		}
		matches, resting := d.Round(ready, ratings, rules)
		seen := slices.Clone(resting)
		for _, match := range matches {
			if len(match) < 2 || len(match) > rules.Seats {
				t.Fatalf("round %d: a match of %d teams", round, len(match))
			}
			for _, team := range match {
				d.played[round][team] = true
			}
			seen = append(seen, match...)
		}
		if slices.Sort(seen); !slices.Equal(seen, ready) ||
			len(ready) > 1 && len(resting) > 0 && (rules.Seats > 2 || len(resting) > 1) {
			t.Fatalf("round %d of %v: matches %v, and %v rest", round, ready, matches, resting)
		}
		d.Add(matches, resting)
	}
	return d
}

// games returns the games of a team in the rounds in which two teams were ready.
func (d *day) games(team, other int) (n int) {
	for round, played := range d.played {
		if d.ready[round][other] && played[team] {
			n++
		}
	}
	return n
}

// alike returns the pairs of teams in groups of those that were ready in the same rounds, at least
// one.
func (d *day) alike() map[string][][2]int {
	groups := map[string][][2]int{}
	for a := range d.teams {
		for b := range a {
			rounds, any := make([]byte, len(d.ready)), false
			for i, ready := range d.ready {
				if ready[a] && ready[b] {
					rounds[i], any = 1, true
				}
			}
			if any {
				groups[string(rounds)] = append(groups[string(rounds)], [2]int{a, b})
			}
		}
	}
	return groups
}

// After 200 rounds the games of any two teams that were always ready differ by at most 1; where
// teams come late, sleep and rest, the levels of all that are ready do in each round. The meetings
// of pairs that were ready in the same rounds differ by at most 2, with five or six seats by 3,
// with Near by 4; those of others differ by at most 3 from what is expected.
func TestFieldIsFair(t *testing.T) {
	thorough.Full(t)
	for name, attends := range attendances {
		for _, near := range []bool{false, true} {
			for seats := 2; seats <= 6; seats++ {
				for _, teams := range thorough.Size([]int{7}, []int{2, 3, 5, 8, 13, 17, 24, 40, 60}) {
					t.Run(fmt.Sprintf("%s, near %v, %d teams, %d seats", name, near, teams,
						seats), func(t *testing.T) {
						t.Parallel()
						d := playDay(t, teams, attends, FieldRules{Seats: seats, Near: near})
						d.checkMeetings(t, seats, near)
						if name != "always" {
							return
						}
						var games spread
						for team := range teams {
							games.add(d.games(team, team))
						}
						if games.width() > 1 {
							t.Errorf("games %v", games)
						}
					})
				}
			}
		}
	}
}

func (d *day) checkMeetings(t *testing.T, seats int, near bool) {
	t.Helper()
	limit := 2
	if seats > 4 {
		limit = 3
	}
	if near {
		limit = 4
	}
	for _, pairs := range d.alike() {
		var meetings spread
		for _, p := range pairs {
			n := d.Meetings(p[0], p[1])
			meetings.add(n)
			if off := math.Abs(float64(n) - d.Expected(p[0], p[1])); off > 3 {
				t.Errorf("teams %v met %d times, expected %.2f", p, n, d.Expected(p[0], p[1]))
			}
		}
		if meetings.width() > limit {
			t.Errorf("%d pairs that were ready in the same rounds met %v times", len(pairs), meetings)
		}
	}
}

// A team that joins late, or returns, starts at the least level of the others, and catches up with
// none of their games.
func TestFieldLevels(t *testing.T) {
	thorough.Long(t)
	for name, attends := range attendances {
		t.Run(name, func(t *testing.T) {
			f := NewField()
			rng := rand.New(rand.NewPCG(1, 2))
			for range 7 {
				f.AddTeam()
			}
			for round := range 200 {
				var ready []int
				for team := range 7 {
					if attends(rng, round, team) {
						ready = append(ready, team)
					}
				}
				f.Add(f.Round(ready, nil, FieldRules{Seats: 2}))
				var levels spread
				for _, team := range ready {
					levels.add(f.Level(team))
				}
				if levels.width() > 1 {
					t.Fatalf("round %d: levels %v", round, levels)
				}
			}
		})
	}
}

// Near teams meet more often with Near than without, and without ratings decide only between
// divisions that are equally good.
func TestFieldNear(t *testing.T) {
	thorough.Long(t)
	distance := func(near bool) (sum int) {
		f := playDay(t, 24, attendances["always"], FieldRules{Seats: 2, Near: near})
		for a := range 24 {
			for b := range a {
				sum += (a - b) * f.Meetings(a, b)
			}
		}
		return sum
	}
	if near, equal := distance(true), distance(false); near >= equal {
		t.Errorf("the sum of all distances is %d with Near, and %d without", near, equal)
	}
	f := NewField()
	for range 4 {
		f.AddTeam()
	}
	ratings := []float64{10, 40, 20, 30}
	matches, resting := f.Round(numbered(4), ratings, FieldRules{Seats: 2})
	if got := sorted(matches); !slices.EqualFunc(got, [][]int{{0, 2}, {1, 3}}, slices.Equal) {
		t.Errorf("the first matches are %v, want those of near ratings", got)
	}
	f.Add(matches, resting)
	matches, _ = f.Round(numbered(4), ratings, FieldRules{Seats: 2})
	if slices.ContainsFunc(matches, func(m []int) bool { return f.Meetings(m[0], m[1]) > 0 }) {
		t.Errorf("teams that have met play again: %v", matches)
	}
}

// For up to eight teams no division of the same sizes costs less than the one that Round finds, in
// each round of days in which teams come and go.
func TestFieldRoundIsBest(t *testing.T) {
	thorough.Long(t)
	for teams := 2; teams <= 8; teams++ {
		for seats := 2; seats <= 6; seats++ {
			for _, near := range []bool{false, true} {
				rng := rand.New(rand.NewPCG(uint64(teams), uint64(seats)))
				rules := FieldRules{Seats: seats, Near: near}
				f := NewField()
				ratings := make([]float64, teams)
				for range teams {
					f.AddTeam()
				}
				for round := range 12 {
					var ready []int
					for team := range teams {
						ratings[team] += rng.NormFloat64()
						if attendances["in and out"](rng, round, team) {
							ready = append(ready, team)
						}
					}
					matches, resting := f.Round(ready, ratings, rules)
					if len(ready) >= 2 {
						c := f.costs(ready, ratings, rules)
						got, want := total(append(slices.Clone(matches), resting), c), leastOfSizes(nil, ready, fieldSizes(len(ready), seats), c)
						if got != want {
							t.Errorf("%d teams, %d seats, near %v: %v and %v cost %d, want %d", teams, seats, near,
								matches, resting, got, want)
						}
					}
					f.Add(matches, resting)
				}
			}
		}
	}
}

// leastOfSizes returns the least costs of all divisions of the teams that are left into matches of
// the given sizes and those that rest.
func leastOfSizes(parts [][]int, left, sizes []int, c costs) int64 {
	if len(sizes) == 0 {
		return total(append(slices.Clone(parts), left), c)
	}
	least := int64(math.MaxInt64)
	var choose func(match []int, from int)
	choose = func(match []int, from int) {
		if len(match) == sizes[0] {
			rest := slices.DeleteFunc(slices.Clone(left),
				func(team int) bool { return slices.Contains(match, team) })
			least = min(least, leastOfSizes(append(slices.Clone(parts), match), rest, sizes[1:], c))
			return
		}
		for i := from; i < len(left); i++ {
			choose(append(slices.Clone(match), left[i]), i+1)
		}
	}
	choose(nil, 0)
	return least
}

// A round of 40 teams in matches of four, in the middle of a day.
func BenchmarkFieldRound(b *testing.B) {
	f := NewField()
	for range 40 {
		f.AddTeam()
	}
	ratings := make([]float64, 40)
	rules := FieldRules{Seats: 4}
	for range 50 {
		f.Add(f.Round(numbered(40), ratings, rules))
	}
	for b.Loop() {
		f.Round(numbered(40), ratings, rules)
	}
}
