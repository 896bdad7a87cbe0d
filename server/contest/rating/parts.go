package rating

import (
	"cmp"
	"math"
	"slices"
)

// connect divides the bots into groups: those of one have reached each other, directly or by way of
// others. Between groups results have no finite difference: each bot of one of them has lost all
// its matches against the other one, or they have not met. The mean of the largest group is 0; of
// groups that are equally large, that of the strongest bot.
func (t *Table) connect(reached []byte) {
	n := len(t.strengths)
	t.reached = slices.Clone(reached)
	t.groups = slices.Repeat([]int{-1}, n)
	var largest []int
	strongest := func(group []int) float64 {
		return t.strengths[slices.MaxFunc(group,
			func(a, b int) int { return cmp.Compare(t.strengths[a], t.strengths[b]) })]
	}
	for bot := range t.groups {
		if t.groups[bot] >= 0 {
			continue
		}
		forwards := search(n, bot, func(i, j int) bool { return reached[i*n+j] > 0 })
		backwards := search(n, bot, func(i, j int) bool { return reached[j*n+i] > 0 })
		var group []int
		for other := range t.groups {
			if forwards[other] && backwards[other] {
				t.groups[other] = bot
				group = append(group, other)
			}
		}
		if len(group) > len(largest) ||
			len(group) == len(largest) && strongest(group) > strongest(largest) {
			largest = group
		}
	}
	if t.among = largest; len(largest) < n {
		for _, bot := range largest {
			t.mean += t.strengths[bot] / float64(len(largest))
		}
	}
}

// search returns the nodes of a graph that a path leads to.
func search(n, from int, edge func(i, j int) bool) []bool {
	found, open := make([]bool, n), []int{from}
	found[from] = true
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for j := range found {
			if !found[j] && edge(i, j) {
				found[j] = true
				open = append(open, j)
			}
		}
	}
	return found
}

// nowhere is the part of a bot that has no match in a sample.
const nowhere = -1

// parted returns the part that each bot is in, from the weakest on: no bot of a part has reached
// one of a stronger part in the sample, so that its results leave their difference infinite. It
// returns nil if all are in one. It looks at the bots in the order of their strengths, which
// virtual draws keep finite: there a gap is a place at which all that the bots below it have won
// was won among themselves.
func (s *solver) parted(strengths []float64) []int {
	n := len(strengths)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order,
		func(a, b int) int { return cmp.Or(cmp.Compare(strengths[a], strengths[b]), cmp.Compare(a, b)) })
	place, seen := make([]int, n), make([]bool, n)
	for i, bot := range order {
		place[bot] = i
	}
	within := make([]float64, n) // stages whose strongest bot has this place
	for _, id := range s.present {
		strongest := 0
		for _, m := range s.likelihood.stage(int(id)) {
			strongest = max(strongest, place[m.bot])
			seen[m.bot] = true
		}
		within[strongest] += s.stages[id]
	}
	parts, part, wins, inside, whole := make([]int, n), 0, 0.0, 0.0, true
	for i, bot := range order {
		if !seen[bot] {
			parts[bot], whole = nowhere, false
			continue
		}
		parts[bot] = part
		wins += s.wins[bot]
		inside += within[i]
		if gap := wins - inside; math.Abs(gap) < leastWin && i < n-1 {
			part++
		}
	}
	if whole && part == 0 {
		return nil
	}
	return parts
}

// leastWin is below what any win weighs, and above what is lost by adding up a million of them.
const leastWin = 1e-6

// farther returns how much further up one part is than another one: infinite, 0, or NaN if a bot is
// nowhere.
func farther(part, other int) float64 {
	switch {
	case part == other && part != nowhere:
		return 0
	case other == nowhere:
		return math.NaN()
	case part == nowhere:
		return 0 // one bot of many whose mean is asked for
	case part > other:
		return math.Inf(1)
	}
	return math.Inf(-1)
}
