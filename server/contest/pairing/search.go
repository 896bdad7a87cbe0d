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
	s := &search{
		teams: n, sizes: sizes, starts: starts, together: make([]int64, n*n), resting: make([]int64, n),
	}
	for i, a := range teams {
		s.resting[i] = c.resting(a)
		for j, b := range teams[:i] {
			s.together[i*n+j] = c.together(a, b)
			s.together[j*n+i] = s.together[i*n+j]
		}
	}
	return s
}

// A search usually starts effort/teams times, at least leastStarts times. The fewer the teams, the
// more depends on each exchange: eight teams need some 50 starts to always find the best division,
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
	slices.SortStableFunc(resting,
		func(a, b int) int { return cmp.Compare(s.resting[a], s.resting[b]) })
	for _, size := range s.sizes {
		resting = resting[:len(resting)-size]
	}
	left := slices.DeleteFunc(slices.Clone(order),
		func(team int) bool { return slices.Contains(resting, team) })
	var parts [][]int
	for _, size := range s.sizes {
		// costs at the table so far; the first team is any
		table, sums, next := []int{}, make([]int64, s.teams), 0
		for len(table) < size {
			team := left[next]
			table, left = append(table, team), slices.Delete(left, next, next+1)
			least := int64(math.MaxInt64)
			for i, other := range left {
				sums[other] += s.together[team*s.teams+other]
				if sums[other] < least {
					next, least = i, sums[other]
				}
			}
		}
		parts = append(parts, table)
	}
	return append(parts, resting)
}

// joining returns what a team costs at a table.
func (s *search) joining(team int, table []int) int64 {
	row := s.together[team*s.teams : (team+1)*s.teams]
	sum := int64(0)
	for _, other := range table {
		sum += row[other]
	}
	return sum
}

// sums holds what each team costs at each table, and if it rests: team × parts + part.
type sums struct {
	parts int
	costs []int64
}

func (s *search) sumsOf(parts [][]int) *sums {
	of := &sums{len(parts), make([]int64, s.teams*len(parts))}
	last := len(parts) - 1
	for team := range s.teams {
		for i, table := range parts[:last] {
			of.costs[team*of.parts+i] = s.joining(team, table)
		}
		of.costs[team*of.parts+last] = s.resting[team]
	}
	return of
}

// improve exchanges teams of different parts while that lowers the costs. Each exchange
// lowers them and the number of divisions is finite, so it ends.
func (s *search) improve(parts [][]int) {
	at := s.sumsOf(parts)
	for changed := true; changed; {
		changed = false
		for i := range parts {
			for j := range i {
				changed = s.exchange(parts, at, i, j) || changed
			}
		}
	}
}

// exchange exchanges teams of parts i and j, of which i can be the one that rests, where that
// lowers the costs, and reports whether it did. Most pairs are not exchanged, so the sums are kept
// instead of added up for each pair.
func (s *search) exchange(parts [][]int, at *sums, i, j int) (changed bool) {
	tables := int64(2) // of the two parts
	if i == len(parts)-1 {
		tables = 1
	}
	for a := range parts[i] {
		for b := range parts[j] {
			one, other := parts[i][a], parts[j][b]
			ones, others := at.costs[one*at.parts:], at.costs[other*at.parts:]
			// A sum at a table that a team would join includes the team that would leave it.
			lower := ones[i] + others[j] - ones[j] - others[i] + tables*s.together[one*s.teams+other]
			if lower > 0 {
				parts[i][a], parts[j][b] = other, one
				s.move(at, one, i, j, len(parts)-1)
				s.move(at, other, j, i, len(parts)-1)
				changed = true
			}
		}
	}
	return changed
}

// move changes the sums for a team that goes from one part to another. What a team costs in the
// last part, which rests, does not depend on the others there.
func (s *search) move(at *sums, team, from, to, last int) {
	row := s.together[team*s.teams : (team+1)*s.teams]
	for other, cost := range row {
		if from != last {
			at.costs[other*at.parts+from] -= cost
		}
		if to != last {
			at.costs[other*at.parts+to] += cost
		}
	}
}

// total returns the costs of a division.
func (s *search) total(parts [][]int) int64 {
	sum := int64(0)
	last := len(parts) - 1
	for _, table := range parts[:last] {
		for i, team := range table {
			sum += s.joining(team, table[:i])
		}
	}
	for _, team := range parts[last] {
		sum += s.resting[team]
	}
	return sum
}
