package event

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
)

// lastMatches is how many matches of each team count: after a better version is sent, it takes that many
// matches until what the one before did is forgotten.
const lastMatches = 30

// Standing is a team's place.
type Standing struct {
	Team
	Rank    int     // from 1
	Matches int     // of the team, all that count
	Rating  float64 // how good the team is at least, with near certainty
	Skill   rating.Skill
}

// appearance is a match as one team saw it.
type appearance struct {
	skills []rating.Skill // of its teams, before it
	ranks  []int
	at     int // the team's
}

// standings returns the places of all teams, the best first. A team's skill follows from its last matches, in each of
// which its opponents are as good as they were then. Built-in bots and void matches do not count.
func (s *state) standings() []Standing { return s.standingsOf(s.rows) }

// standingsOf returns the places that follow from these matches.
func (s *state) standingsOf(rows []*results.Row) []Standing {
	running := make([]rating.Skill, len(s.teams))
	for i := range running {
		running[i] = rating.NewSkill()
	}
	seen := make([][]appearance, len(s.teams))
	for _, row := range rows {
		if !s.counts(row.K) {
			continue
		}
		var a appearance
		var teams []int
		for seat, nick := range row.Bots {
			if t := s.nicks[nick]; t != nil {
				teams = append(teams, t.Number)
				a.skills = append(a.skills, running[t.Number])
				a.ranks = append(a.ranks, row.Ranks[seat])
			}
		}
		after := rating.Update(a.skills, a.ranks)
		for i, team := range teams {
			a.at = i
			running[team], seen[team] = after[i], append(seen[team], a)
		}
	}
	list := make([]Standing, len(s.teams))
	for i, t := range s.teams {
		skill := skillOf(seen[i])
		list[i] = Standing{Team: *t, Matches: len(seen[i]), Rating: leastOf(skill), Skill: skill}
	}
	slices.SortStableFunc(list, func(a, b Standing) int { return cmp.Compare(b.Rating, a.Rating) })
	for i := range list {
		if list[i].Rank = i + 1; i > 0 && list[i].Rating == list[i-1].Rating {
			list[i].Rank = list[i-1].Rank
		}
	}
	return list
}

// skillOf returns a team's skill by the last of its matches.
func skillOf(seen []appearance) rating.Skill {
	skill := rating.NewSkill()
	for _, a := range seen[max(0, len(seen)-lastMatches):] {
		skills := slices.Clone(a.skills)
		skills[a.at] = skill
		skill = rating.Update(skills, a.ranks)[a.at]
	}
	return skill
}

// leastOf returns a skill that a team has with a probability of 99.9 %, as OpenSkill orders players: a new team
// begins at 0, and one lucky match does not make it the first.
func leastOf(s rating.Skill) float64 { return s.Mu - 3*s.Sigma }
