package state

import (
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/score"
)

// tally is the sum of the results of matches, up to one of them. Each result is added once, so that
// a view of the event takes as long in the evening as in the morning.
type tally struct {
	Rows  int // that were added
	Teams []*teamTally
}

// teamTally is the sum of the results of a team. Void matches do not count, but are among those
// that are shown.
type teamTally struct {
	Skill    rating.Skill    // by all matches that are rated; its opponents are measured by it
	Rated    int             // matches
	Seen     []appearance    // the last ones of them
	Shown    []int           // numbers of its last matches
	Met      map[int]meeting // by the other team
	Versions []*versionTally // the one that played first comes first
	Curve    []float64       // its rating after each of its last rated matches

	recent *rating.Skill // by Seen; nil: not computed yet
}

// maxCurve bounds the points of a team's curve: a day of eight hours has 240 rounds of two minutes.
const maxCurve = 240

// appearance is a match as one team saw it.
type appearance struct {
	Skills []rating.Skill // of its teams, before it
	Ranks  []int
	At     int // the team's
}

// meeting is how often a team has met another one, and was before or behind it.
type meeting struct {
	Times  int
	Ahead  int
	Behind int
}

// versionTally is the sum of the results of a version.
type versionTally struct {
	Version  string
	Matches  int
	Wins     int
	Forfeits int
	Last     int // number of its last match, from 1
	Halves   int
	Most     int
}

// team returns the tally of a team.
func (t *tally) team(number int) *teamTally {
	for len(t.Teams) <= number {
		t.Teams = append(t.Teams, &teamTally{Skill: rating.NewSkill(), Met: map[int]meeting{}})
	}
	return t.Teams[number]
}

// upTo adds the matches before one.
func (t *tally) upTo(s *State, match int) *tally {
	for ; t.Rows < match; t.Rows++ {
		t.add(s, s.Results.rows[t.Rows])
	}
	return t
}

// add adds a match.
func (t *tally) add(s *State, row *results.Row) {
	teams, seats := s.Teams.seatsIn(row)
	for _, number := range teams {
		one := t.team(number)
		one.Shown = lastOf(append(one.Shown, row.K), LastMatches)
	}
	if s.Results.void[row.K] {
		return
	}
	var a appearance
	for i, number := range teams {
		one := t.team(number)
		a.Skills, a.Ranks = append(a.Skills, one.Skill), append(a.Ranks, row.Ranks[seats[i]])
		one.version(versionIn(row, seats[i])).add(row, seats[i])
	}
	for i, number := range teams {
		t.team(number).meet(teams, a.Ranks, i)
	}
	if s.Results.unrated[row.K] {
		return
	}
	for i, skill := range rating.Update(a.Skills, a.Ranks) {
		one := t.team(teams[i])
		a.At = i
		one.Skill, one.Rated, one.recent = skill, one.Rated+1, nil
		one.Seen = lastOf(append(one.Seen, a), LastMatches)
		one.Curve = lastOf(append(one.Curve, leastOf(one.now())), maxCurve)
	}
}

// lastOf returns the last n of a list.
func lastOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// meet counts the teams that a team has met in a match.
func (one *teamTally) meet(teams, ranks []int, at int) {
	for i, other := range teams {
		if i == at {
			continue
		}
		m := one.Met[other]
		m.Times++
		switch {
		case ranks[at] < ranks[i]:
			m.Ahead++
		case ranks[at] > ranks[i]:
			m.Behind++
		}
		one.Met[other] = m
	}
}

// version returns the tally of a version of the team.
func (one *teamTally) version(name string) *versionTally {
	i := slices.IndexFunc(one.Versions, func(v *versionTally) bool { return v.Version == name })
	if i < 0 {
		i = len(one.Versions)
		one.Versions = append(one.Versions, &versionTally{Version: name})
	}
	return one.Versions[i]
}

func versionIn(row *results.Row, seat int) string {
	if seat < len(row.Versions) {
		return row.Versions[seat]
	}
	return ""
}

// add adds a match.
func (v *versionTally) add(row *results.Row, seat int) {
	v.Matches++
	v.Last = row.K + 1
	v.Halves += score.Halves(row.Ranks, seat)
	v.Most += score.Most(len(row.Ranks), 1)
	if row.Ranks[seat] == 1 {
		v.Wins++
	}
	if row.Forfeits[seat] != "" {
		v.Forfeits++
	}
}

// now returns the team's skill by the last of its matches.
func (one *teamTally) now() rating.Skill {
	if one.recent == nil {
		skill := rating.NewSkill()
		for _, a := range one.Seen {
			skills := slices.Clone(a.Skills)
			skills[a.At] = skill
			skill = rating.Update(skills, a.Ranks)[a.At]
		}
		one.recent = &skill
	}
	return *one.recent
}
