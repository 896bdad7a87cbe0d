package state

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
)

// LastMatches is the number of matches of each team that count: after a better version is sent, the
// results of the one before are forgotten after as many.
const LastMatches = 30

// Standing is a team's place.
type Standing struct {
	Team
	Rank    int     // from 1
	Matches int     // of the team, all that count
	Rating  float64 // how good the team is at least, with near certainty
	Skill   rating.Skill
}

// Standings returns the places of all teams that were not removed, the best first. A team's skill
// follows from its last matches, in each of which its opponents are as good as they were then.
// Built-in bots and void matches do not count.
func (s *State) Standings() []Standing { return s.standingsOf(s.tallied()) }

// tallied returns the tally of all results.
func (s *State) tallied() *tally { return s.tally.upTo(s, len(s.Results.rows)) }

// retally clears the tallies that contain a match, whose results have begun or ceased to count.
func (s *State) retally(match int) {
	if match < s.tally.Rows {
		s.tally = new(tally)
	}
	if match < s.before.Rows {
		s.before = new(tally)
	}
}

// standingsOf returns the places that follow from a tally.
func (s *State) standingsOf(t *tally) []Standing {
	list := make([]Standing, 0, len(s.Teams.list))
	for i, team := range s.Teams.list {
		if team.Removed {
			continue
		}
		one := t.team(i)
		skill := one.now()
		list = append(list, Standing{
			Team: *team, Matches: one.Rated, Rating: leastOf(skill), Skill: skill,
		})
	}
	slices.SortStableFunc(list, compareStandings)
	for i := range list {
		if list[i].Rank = i + 1; i > 0 && compareStandings(list[i-1], list[i]) == 0 {
			list[i].Rank = list[i-1].Rank
		}
	}
	return list
}

// compareStandings orders teams by their ratings, and those without a match after all others, some
// of which are rated below 0.
func compareStandings(a, b Standing) int {
	played := cmp.Compare(min(b.Matches, 1), min(a.Matches, 1))
	return cmp.Or(played, cmp.Compare(b.Rating, a.Rating))
}

// leastOf returns a skill that a team has with a probability of 99.9 %, as OpenSkill orders
// players: a new team begins at 0, and one lucky match does not make it the first.
func leastOf(s rating.Skill) float64 { return s.Mu - 3*s.Sigma }
