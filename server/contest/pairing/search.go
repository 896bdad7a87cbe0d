package pairing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search looks for a division of teams, which it numbers from 0, into tables and a last part of
// those that rest.
type search struct {
	teams    int
	sizes    []int   // of the tables
	starts   int     // of the search
	together []int64 // costs of two teams: row × teams + column
	resting  []int64
}

func newSearch(teams, sizes []int, starts int, c costs) *search {
	n := len(teams)
	s := &search{teams: n, sizes: sizes, starts: starts, together: make([]int64, n*n), resting: make([]int64, n)}
	for i, a := range teams {
		s.resting[i] = c.resting(a)
		for j, b := range teams[:i] {
			s.together[i*n+j] = c.together(a, b)
			s.together[j*n+i] = s.together[i*n+j]
		}
	}
	return s
}

// A search usually starts effort/teams times, at least leastStarts times. The fewer the teams, the more
// depends on each exchange: eight teams need some 50 starts to always find the best division,
// while 40 teams meet as equally with 6 as with 12.
const (
	effort      = 480
	leastStarts = 6
)

// usualStarts returns how often a search starts.
func usualStarts(teams int) int { return max(effort/max(teams, 1), leastStarts) }

// best improves several greedy divisions by exchanges of two teams (2-opt) and returns the one
// that costs least.
func (s *search) best() [][]int {
	var best [][]int
	least := int64(math.MaxInt64)
	order := make([]int, s.teams)
	for i := range order {
		order[i] = i
	}
	seats := 0 // of the largest table
	if len(s.sizes) > 0 {
		seats = s.sizes[0]
	}
	rng := rand.New(rand.NewPCG(uint64(s.teams), uint64(seats)))
	for range s.starts {
		parts := s.greedy(order)
		s.improve(parts)
		if total := s.total(parts); total < least {
			best, least = parts, total
		}
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return best
}

// greedy returns a division in which each table gets, one by one, the team that costs least. Those
// rest for which it costs least.
func (s *search) greedy(order []int) [][]int {
	resting := slices.Clone(order)
	slices.SortStableFunc(resting, func(a, b int) int { return cmp.Compare(s.resting[a], s.resting[b]) })
	for _, size := range s.sizes {
		resting = resting[:len(resting)-size]
	}
	left := slices.DeleteFunc(slices.Clone(order), func(team int) bool { return slices.Contains(resting, team) })
	var parts [][]int
	for _, size := range s.sizes {
		table := []int{left[0]}
		left = left[1:]
		for len(table) < size {
			next, least := 0, int64(math.MaxInt64)
			for i, team := range left {
				if cost := s.joining(team, table, -1); cost < least {
					next, least = i, cost
				}
			}
			table = append(table, left[next])
			left = slices.Delete(left, next, next+1)
		}
		parts = append(parts, table)
	}
	return append(parts, resting)
}

// joining returns what a team costs at a table without the member with the index except.
func (s *search) joining(team int, table []int, except int) int64 {
	row := s.together[team*s.teams : (team+1)*s.teams]
	sum := int64(0)
	for i, other := range table {
		if i != except {
			sum += row[other]
		}
	}
	return sum
}

// improve exchanges teams of different parts while that lowers the costs. Each exchange
// lowers them and the number of divisions is finite, so it ends.
func (s *search) improve(parts [][]int) {
	for changed := true; changed; {
		changed = false
		for i := range parts {
			for j := range i {
				changed = s.exchange(parts, i, j) || changed
			}
		}
	}
}

// exchange exchanges teams of parts i and j, of which i can be the one that rests, where that
// lowers the costs, and reports whether it did.
func (s *search) exchange(parts [][]int, i, j int) (changed bool) {
	at := s.joining
	if i == len(parts)-1 {
		at = func(team int, _ []int, _ int) int64 { return s.resting[team] }
	}
	for a := range parts[i] {
		for b := range parts[j] {
			one, other := parts[i][a], parts[j][b]
			now := at(one, parts[i], a) + s.joining(other, parts[j], b)
			if at(other, parts[i], a)+s.joining(one, parts[j], b) < now {
				parts[i][a], parts[j][b] = other, one
				changed = true
			}
		}
	}
	return changed
}

// total returns the costs of a division.
func (s *search) total(parts [][]int) int64 {
	sum := int64(0)
	last := len(parts) - 1
	for _, table := range parts[:last] {
		for i, team := range table {
			sum += s.joining(team, table[:i], -1)
		}
	}
	for _, team := range parts[last] {
		sum += s.resting[team]
	}
	return sum
}
