package pairing

import (
	"cmp"
	"fmt"
	"slices"
)

// GroupStage is a round robin within groups. As many teams of each group as a table has seats go on
// to a knock-out, in which all tables are full.
type GroupStage struct {
	Groups [][]int
	Rounds [][][]int // the tables of each round, in all groups
	seats  int
}

// NewGroupStage returns the group stage of this many teams, which are in the order of their seeds.
// There are as many groups as leave each with at least twice as many teams as go on, and at least
// two.
func NewGroupStage(teams, seats int) (*GroupStage, error) {
	together := NewBracket(numbered(seats), seats).together
	groups := together
	for groups*together*2*seats <= teams {
		groups *= together
	}
	if least := groups * (seats + 1); teams < least {
		return nil, fmt.Errorf(
			"tables of %d need %d teams or more, so that not all of a group go on; there are %d", seats,
			least, teams)
	}
	g := &GroupStage{Groups: Groups(numbered(teams), groups), seats: seats}
	for _, group := range g.Groups {
		for i, tables := range roundRobin(group, seats) {
			if i == len(g.Rounds) {
				g.Rounds = append(g.Rounds, nil)
			}
			g.Rounds[i] = append(g.Rounds[i], tables...)
		}
	}
	return g, nil
}

// roundRobin returns rounds in which all teams meet, and play equally often. With two seats no two
// teams meet twice.
func roundRobin(teams []int, seats int) (rounds [][][]int) {
	n := len(teams)
	add := func(tables [][]int) {
		var round [][]int
		for _, table := range tables {
			var members []int
			for _, i := range table {
				members = append(members, teams[i])
			}
			round = append(round, members)
		}
		rounds = append(rounds, round)
	}
	if seats == 2 {
		for tables := range slices.Chunk(pairs(n), n/2) {
			add(tables)
		}
		return rounds
	}
	h := NewHistory(n)
	for !h.complete() {
		tables, resting := h.Round(numbered(n), seats, nil)
		for _, table := range tables {
			h.Add(table)
		}
		for _, team := range resting {
			h.Rest(team)
		}
		add(tables)
	}
	return rounds
}

// complete reports whether all teams have met, and have played equally often.
func (h *History) complete() bool {
	least, most := h.ranges(numbered(h.teams))
	return least > 0 && slices.Min(h.games) == most
}

// Tables returns how many tables the group stage has, and how many the knock-out.
func (g *GroupStage) Tables() (groups, knockOut int) {
	for _, round := range g.Rounds {
		groups += len(round)
	}
	for _, tables := range g.KnockOut() {
		knockOut += tables
	}
	return groups, knockOut
}

// KnockOut returns how many tables each round of the knock-out has.
func (g *GroupStage) KnockOut() []int { return Rounds(len(g.Groups)*g.seats, g.seats) }

// GoOn returns the teams that go on, in the order of their seeds in the knock-out: the winners of
// the groups, then those in the second place, and so on, each row turned so that teams of one group
// meet as late as possible. scores are those of all teams in the group stage; of equal teams the
// better seed is better.
func (g *GroupStage) GoOn(scores []int) (teams []int) {
	n := len(g.Groups)
	standings := make([][]int, n)
	for i, group := range g.Groups {
		standings[i] = slices.Clone(group)
		slices.SortFunc(standings[i],
			func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	}
	var from []int // the group of each place
	for place := range g.seats {
		best, least := 0, -1
		for turn := range n {
			if cost := g.reunions(append(slices.Clone(from), turned(n, turn)...)); least < 0 ||
				cost < least {
				best, least = turn, cost
			}
		}
		for _, group := range turned(n, best) {
			from = append(from, group)
			teams = append(teams, standings[group][place])
		}
	}
	return teams
}

// turned returns the numbers below n, from one on.
func turned(n, first int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = (first + i) % n
	}
	return list
}

// reunions counts the pairs of one group in each table of the knock-out, and in each part of it
// from which one table of a later round comes, so that a pair that meets earlier counts more often.
// from holds the group of each place, as far as it is known.
func (g *GroupStage) reunions(from []int) (pairs int) {
	b := NewBracket(numbered(len(g.Groups)*g.seats), g.seats)
	for parts := b.tables; len(parts) > 1; parts = joined(parts, b.together) {
		for _, part := range parts {
			for i, a := range part {
				for _, c := range part[:i] {
					if a < len(from) && c < len(from) && from[a] == from[c] {
						pairs++
					}
				}
			}
		}
	}
	return pairs
}

// joined joins neighbouring parts.
func joined(parts [][]int, together int) (list [][]int) {
	for some := range slices.Chunk(parts, together) {
		list = append(list, slices.Concat(some...))
	}
	return list
}
