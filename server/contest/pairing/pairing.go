// Package pairing decides who plays whom: the tables of a round, whatever the number of seats.
//
// [Cycle] lists the tables of a contest whose pairings do not depend on results: round robin and
// gauntlet. [History.Round] pairs those who are ready, so that all play and meet each other
// equally often, as in a ladder. [Swiss] pairs by score. [Groups] and [NewBracket] make groups and
// knock-out rounds. All are deterministic: the same arguments give the same tables.
//
// Teams are numbered from 0. A table lists its teams in the order of their seats.
package pairing

import "slices"

// costs says what is wrong with a division into tables: the search makes the sum small.
type costs struct {
	together func(a, b int) int64 // of two teams at one table; the same for both orders
	resting  func(team int) int64 // of a team without a table
}

// divide divides teams into tables of the given size, with the others resting, so that the
// costs are small. For more than two seats no fast method finds the least costs, so it
// searches; TestRoundIsBest shows that it finds them for up to eight teams.
func divide(teams []int, seats int, c costs) (tables [][]int, resting []int) {
	parts := newSearch(teams, seats, c).best()
	for _, part := range parts {
		for i, index := range part {
			part[i] = teams[index]
		}
	}
	last := len(parts) - 1
	return parts[:last], slices.Sorted(slices.Values(parts[last]))
}
