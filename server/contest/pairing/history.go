package pairing

import "slices"

// History counts what the teams of a contest have played.
type History struct {
	teams    int
	games    []int
	meetings []int // of two teams: row × teams + column
	seats    []map[int]int
	rests    []int // rounds without a table
}

// NewHistory returns the history of this many teams before their first match.
func NewHistory(teams int) *History {
	h := &History{
		teams:    teams,
		games:    make([]int, teams),
		meetings: make([]int, teams*teams),
		seats:    make([]map[int]int, teams),
		rests:    make([]int, teams),
	}
	for i := range h.seats {
		h.seats[i] = make(map[int]int)
	}
	return h
}

// Add counts a match at a table.
func (h *History) Add(table []int) {
	for seat, team := range table {
		h.games[team]++
		h.seats[team][seat]++
		for _, other := range table {
			if other != team {
				h.meetings[team*h.teams+other]++
			}
		}
	}
}

// Rest counts a round in which a team was ready and had no table.
func (h *History) Rest(team int) { h.rests[team]++ }

// Games returns the number of matches of a team.
func (h *History) Games(team int) int { return h.games[team] }

// Meetings returns the number of matches in which two teams met.
func (h *History) Meetings(a, b int) int { return h.meetings[a*h.teams+b] }

// Seated returns the number of matches in which a team had a seat.
func (h *History) Seated(team, seat int) int { return h.seats[team][seat] }

// Round returns the tables of a round among the teams that are ready, and those that rest because
// the teams are no multiple of the seats. In this order it wants: that all have played equally
// often, so that those rest who have played most; that all have met each other equally often; that
// teams of similar rating meet, if ratings are given; that all have had each seat equally often.
// Uncertainty of a rating never decides who plays, or a bot that crashes would play most.
func (h *History) Round(ready []int, seats int, ratings []float64) (tables [][]int, resting []int) {
	place := places(ready, ratings)
	least, most := h.ranges(ready)
	// Each wish outweighs the sum of all costs of those after it: a pair's costs of rating are
	// below the number of teams, and there are less than teams × seats pairs.
	pairs := int64(len(ready) * seats)
	meeting := pairs*int64(len(ready)) + 1
	game := pairs*meeting*excess(maxExcess) + 1
	tables, resting = divide(ready, seats, costs{
		together: func(a, b int) int64 {
			return meeting*excess(h.Meetings(a, b)-least) + int64(max(place[a]-place[b], place[b]-place[a]))
		},
		resting: func(team int) int64 { return game * int64(min(most-h.games[team], maxGames)) },
	})
	for _, table := range tables {
		h.seat(table)
	}
	return tables, resting
}

// maxExcess and maxGames bound differences in meetings and in matches, so that all costs of up to
// 500 teams fit into an integer.
const (
	maxExcess = 256
	maxGames  = 8
)

// excess returns what one more meeting of two teams costs that have met this much more often than
// the teams that have met least. At first it grows so fast that the search prefers several pairs
// with one meeting too many to one pair with two: with squares alone, 40 teams come to differ by
// 2. From 4 on, where teams joined at different times, it grows like a square.
func excess(meetings int) int64 {
	if meetings <= 4 {
		return 1 << (3 * meetings)
	}
	square := int64(min(meetings, maxExcess))
	return square * square << 8 // 8⁴ at 4
}

// ranges returns the least number of meetings of two teams that are ready, and the most matches.
func (h *History) ranges(ready []int) (least, most int) {
	least = -1
	for i, a := range ready {
		most = max(most, h.games[a])
		for _, b := range ready[:i] {
			if met := h.Meetings(a, b); least < 0 || met < least {
				least = met
			}
		}
	}
	return max(least, 0), most
}

// places returns each team's place in the order of the ratings, from 0; none if there are no
// ratings.
func places(teams []int, ratings []float64) map[int]int {
	place := make(map[int]int, len(teams))
	if ratings == nil {
		return place
	}
	order := slices.Clone(teams)
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case ratings[a] > ratings[b]:
			return -1
		case ratings[a] < ratings[b]:
			return 1
		}
		return a - b
	})
	for i, team := range order {
		place[team] = i
	}
	return place
}

// seat orders the teams of a table so that each has a seat that it has had seldom.
func (h *History) seat(table []int) { rotate(table, h.Seated) }

// rotate orders the teams of a table so that each has a seat that it has had seldom, by exchanges
// of two. seated returns how often a team had a seat.
func rotate(table []int, seated func(team, seat int) int) {
	for changed := true; changed; {
		changed = false
		for i := range table {
			for j := range i {
				a, b := table[i], table[j]
				if seated(a, j)+seated(b, i) < seated(a, i)+seated(b, j) {
					table[i], table[j] = b, a
					changed = true
				}
			}
		}
	}
}
