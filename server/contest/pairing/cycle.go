package pairing

// maxCycle bounds the tables of a cycle: up to here they can be put into a balanced order within a
// tenth of a second, and 40 teams at tables of four have 200 rounds.
const maxCycle = 2000

// Cycle returns the tables of one cycle of a round robin, in an order in which the teams play and
// meet each other equally often from the start, as far as possible, so that a contest can end
// anywhere. For two seats these are all pairs, in rounds; for more seats all combinations, or
// rounds as [History.Round] makes them if there are more than 2 000. If there are no more teams
// than seats, all are at the only table.
//
// A cycle of rounds leaves some teams with one or two meetings more than others; even reports that
// it does not. A contest of several uneven cycles should number the teams in another way in each.
func Cycle(teams, seats int) (tables [][]int, even bool) {
	switch {
	case teams <= seats:
		return [][]int{numbered(teams)}, true
	case seats == 2:
		return pairs(teams), true
	}
	if all := combinations(teams, seats); all != nil {
		return balance(teams, all), true
	}
	h := NewHistory(teams)
	for len(tables)+teams/seats <= maxCycle || len(tables) == 0 {
		round, _ := h.Round(numbered(teams), seats, nil)
		for _, table := range round {
			h.Add(table)
			tables = append(tables, table)
		}
	}
	return tables, false
}

// numbered returns the numbers below n.
func numbered(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// pairs returns all pairs of teams in rounds, by the circle method: one team stays, the others move
// on by a place each round. If their number is odd, the place that stays is empty.
func pairs(teams int) [][]int {
	places := teams + teams%2
	var list [][]int
	for round := range places - 1 {
		for i := range places / 2 {
			a, b := (round+i)%(places-1), (round+places-1-i)%(places-1)
			if i == 0 {
				b = places - 1
			}
			if b < teams {
				list = append(list, []int{a, b})
			}
		}
	}
	return list
}

// combinations returns all combinations of teams for a table, or nil if there are more than
// maxCycle.
func combinations(teams, seats int) [][]int {
	var all [][]int
	var extend func(table []int, from int) bool
	extend = func(table []int, from int) bool {
		if len(table) == seats {
			all = append(all, append([]int(nil), table...))
			return len(all) <= maxCycle
		}
		for team := from; team <= teams-(seats-len(table)); team++ {
			if !extend(append(table, team), team+1) {
				return false
			}
		}
		return true
	}
	if !extend(make([]int, 0, seats), 0) {
		return nil
	}
	return all
}

// balance orders tables: next comes that whose members have played least so far, and of several
// the one whose members have met least.
func balance(teams int, tables [][]int) [][]int {
	h := NewHistory(teams)
	for next := range tables {
		best, games, meetings := next, 0, 0
		for i, table := range tables[next:] {
			g, m := 0, 0
			for j, team := range table {
				g += h.Games(team)
				for _, other := range table[:j] {
					m += h.Meetings(team, other)
				}
			}
			if i == 0 || g < games || g == games && m < meetings {
				best, games, meetings = next+i, g, m
			}
		}
		tables[next], tables[best] = tables[best], tables[next]
		h.Add(tables[next])
	}
	return tables
}
