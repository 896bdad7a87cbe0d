package pairing

import "slices"

// Swiss returns the tables of a round between the teams that are ready, by their scores so far, in
// any unit. The history says who has met and who has rested.
//
// In this order it wants: that no two teams meet twice and none rests twice; that those rest that
// have the lowest scores, and of these the ones that have played most; that the teams of a table
// have the same score, where a large difference weighs more than several small ones; that within a
// score the table has a team of each quarter, third or half, by the order in ready, which should
// be that of the seeds, so that the best do not meet in the first round. It is a matching of the
// least weight, as in the pairing programs for chess, for any number of seats. It does not know
// chess' colours, since a block is played in all seats; where these do not matter it agrees with
// FIDE's Dutch system of 2025 (TestSwissLikeChess).
func Swiss(h *History, ready []int, seats int, scores []int) (tables [][]int, resting []int) {
	standing := slices.Clone(ready)
	slices.SortStableFunc(standing, func(a, b int) int { return scores[b] - scores[a] })
	place := make([]int, h.teams)
	for i, team := range standing {
		place[team] = i
	}
	sizes, top := groups(standing, scores)
	lowest := scores[standing[len(standing)-1]]
	unit := (scores[standing[0]]-lowest)/maxGap + 1
	widest := int64((scores[standing[0]] - lowest) / unit)
	_, most := h.ranges(ready)
	// Each wish outweighs the sum of all costs of those after it.
	n, pairs := int64(len(ready)), int64(len(ready)*seats)
	gapCost := pairs*n + 1
	restCost := gapCost*(pairs*widest*widest+maxGames*int64(seats)) + 1
	againCost := restCost*int64(seats)*(widest+1) + 1
	tables, resting = divide(standing, seats, costs{
		together: func(a, b int) int64 {
			gap := int64((scores[a] - scores[b]) / unit)
			distance := max(place[a]-place[b], place[b]-place[a])
			if scores[a] == scores[b] {
				distance = offset(distance, sizes[top[place[a]]], seats)
			}
			return againCost*int64(min(h.Meetings(a, b), maxGames)) + gapCost*gap*gap + int64(distance)
		},
		resting: func(team int) int64 {
			above, behind := int64((scores[team]-lowest)/unit), int64(min(most-h.games[team], maxGames))
			return againCost*int64(
				min(h.rests[team], maxGames)) + restCost*above + gapCost*behind + n - int64(place[team])
		},
	})
	slices.SortFunc(tables, func(a, b []int) int { return best(place, a) - best(place, b) })
	for _, table := range tables {
		h.seat(table)
	}
	return tables, resting
}

// maxGap is the largest difference in scores that is told apart, so that all costs of up to 500
// teams fit into an integer; larger scores are counted in larger units.
const maxGap = 256

// groups returns the number of teams with the score of each group, by the place of its first team,
// and for each place that of the first team with the same score.
func groups(standing, scores []int) (sizes map[int]int, top []int) {
	sizes, top = make(map[int]int), make([]int, len(standing))
	for i, team := range standing {
		if top[i] = i; i > 0 && scores[standing[i-1]] == scores[team] {
			top[i] = top[i-1]
		}
		sizes[top[i]]++
	}
	return sizes, top
}

// offset returns how far two places of a group, this far apart, are from being in the same
// position of different parts, of which there are as many as seats.
func offset(distance, size, seats int) int {
	part := max(size/seats, 1)
	parts := max((distance+part/2)/part, 1)
	return max(distance-parts*part, parts*part-distance)
}

// best returns the first place of a table.
func best(place, table []int) int {
	first := place[table[0]]
	for _, team := range table {
		first = min(first, place[team])
	}
	return first
}
