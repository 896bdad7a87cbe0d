// Package pairing decides who plays whom: the tables of a round, whatever the number of seats.
//
// [Cycle] lists the tables of a contest whose pairings do not depend on results: round robin and
// gauntlet. [History.Round] makes rounds of full tables, so that all play and meet each other
// equally often, as in a ladder. [Field.Round] does so where teams join, sleep and return. [Swiss]
// pairs by score. [Groups] and [NewBracket] make groups and knock-out rounds. All are
// deterministic: the same arguments give the same tables.
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
// costs are small.
func divide(teams []int, seats int, c costs) (tables [][]int, resting []int) {
	return divideInto(teams, slices.Repeat([]int{seats}, len(teams)/seats), usualStarts(len(teams)), c)
}

// divideInto divides teams into tables of the given sizes, with the others resting, so that the
// costs are small; it starts the search the given number of times. For more than two seats no fast
// method finds the least costs, so it searches; TestRoundIsBest shows that it finds them for up to
// eight teams.
func divideInto(teams, sizes []int, starts int, c costs) (tables [][]int, resting []int) {
	parts := newSearch(teams, sizes, starts, c).best()
	for _, part := range parts {
		for i, index := range part {
			part[i] = teams[index]
		}
	}
	last := len(parts) - 1
	return parts[:last], slices.Sorted(slices.Values(parts[last]))
}
