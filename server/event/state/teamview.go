package state

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
)

// TeamView is a team at a moment, for those that show it.
type TeamView struct {
	Place
	Order     string      // of the result
	Played    []TeamMatch // the last LastMatches, the newest first
	Opponents []Opponent  // the one that was met most first
	Curve     []float64   // its rating after each of its last matches, as of now
}

// TeamMatch is a match as one team saw it.
type TeamMatch struct {
	Number   int // from 1
	Void     bool
	Rank, Of int
	Score    int64
	Refused  int
	Forfeit  string   // "": it played to the end
	Others   []string // the best first
}

// Opponent is another team that a team has met.
type Opponent struct {
	Number   int
	Name     string
	Meetings int
	Ahead    int // in how many of them the team was before it
	Behind   int
}

// TeamView returns a team by its number as a result places it. found is false if there is no such
// team.
func (s *State) TeamView(team int, r *Result) (v TeamView, found bool) {
	if v.Place, found = r.PlaceOf(team); !found {
		return v, false
	}
	v.Order = r.Order
	one := s.tallied().team(team)
	v.Curve = slices.Clone(one.Curve)
	for _, match := range slices.Backward(one.Shown) {
		row := s.Results.rows[match]
		v.Played = append(v.Played, s.seenBy(row, slices.Index(row.Bots, v.Standing.Nick)))
	}
	for other, m := range one.Met {
		v.Opponents = append(v.Opponents, Opponent{
			Number: other, Name: s.Teams.list[other].Name,
			Meetings: m.Times, Ahead: m.Ahead, Behind: m.Behind,
		})
	}
	slices.SortFunc(v.Opponents, func(a, b Opponent) int {
		return cmp.Or(b.Meetings-a.Meetings, cmp.Compare(a.Name, b.Name))
	})
	return v, true
}

// seenBy returns a match as the team in a seat saw it.
func (s *State) seenBy(row *results.Row, seat int) TeamMatch {
	m := TeamMatch{
		Number: row.K + 1, Void: s.Results.void[row.K], Rank: row.Ranks[seat], Of: len(row.Bots),
		Score: row.Scores[seat], Refused: row.Refused[seat], Forfeit: row.Forfeits[seat],
	}
	for rank := 1; rank <= len(row.Bots); rank++ {
		for other, nick := range row.Bots {
			if other != seat && row.Ranks[other] == rank {
				m.Others = append(m.Others, s.Teams.NameOf(nick))
			}
		}
	}
	return m
}
