package event

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/nickname"
)

// TeamView is a team at a moment, for those that show it.
type TeamView struct {
	Place
	Order     string      // of the result
	Played    []TeamMatch // the last lastMatches, the newest first
	Opponents []Opponent  // the one that was met most first
}

// TeamMatch is a match as one team saw it.
type TeamMatch struct {
	Number    int // from 1
	Void      bool
	Rank, Of  int
	Score     int64
	Refused   int
	Forfeit   string   // "": it played to the end
	Others    []string // the best first
	Recording string   // its file's name
}

// Opponent is another team that a team has met.
type Opponent struct {
	Number   int
	Name     string
	Meetings int
	Ahead    int // in how many of them the team was before it
	Behind   int
}

// Called returns the number of the team that has a name, in any form that looks the same, or had it last. found is false if no
// team has had the name.
func (e *Event) Called(name string) (team int, found bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	team, found = e.state.called[nickname.Fold(name)]
	return team, found
}

// TeamView returns a team by its number. found is false if there is no such team.
func (e *Event) TeamView(team int) (v TeamView, found bool) {
	result := e.Result()
	if v.Place, found = result.placeOf(team); !found {
		return v, false
	}
	v.Order = result.Order
	e.mu.Lock()
	defer e.mu.Unlock()
	one := e.state.tallied().team(team)
	for _, match := range slices.Backward(one.Shown) {
		row := e.state.rows[match]
		v.Played = append(v.Played, e.state.seenBy(row, slices.Index(row.Bots, v.Standing.Nick)))
	}
	for other, m := range one.Met {
		v.Opponents = append(v.Opponents, Opponent{Number: other, Name: e.state.teams[other].Name, Meetings: m.Times, Ahead: m.Ahead, Behind: m.Behind})
	}
	slices.SortFunc(v.Opponents, func(a, b Opponent) int { return cmp.Or(b.Meetings-a.Meetings, cmp.Compare(a.Name, b.Name)) })
	return v, true
}

// seenBy returns a match as the team in a seat saw it.
func (s *state) seenBy(row *results.Row, seat int) TeamMatch {
	m := TeamMatch{
		Number: row.K + 1, Void: s.void[row.K], Rank: row.Ranks[seat], Of: len(row.Bots), Score: row.Scores[seat], Refused: row.Refused[seat],
		Forfeit: row.Forfeits[seat], Recording: recordingOf(row),
	}
	for rank := 1; rank <= len(row.Bots); rank++ {
		for other, nick := range row.Bots {
			if other != seat && row.Ranks[other] == rank {
				m.Others = append(m.Others, s.nameOf(nick))
			}
		}
	}
	return m
}

// nameOf returns the name of a team, or says that a built-in bot is one.
func (s *state) nameOf(nick string) string {
	if t := s.nicks[nick]; t != nil {
		return t.Name
	}
	return nick + " (built-in)"
}

// teamPath returns the path of a team's page. Its number from 1 is in it, which stays when the team gets another name.
func teamPath(team int) string { return fmt.Sprint("/team/", team+1) }
