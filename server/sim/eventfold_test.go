package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
)

// eventFold is what the logs of an event amount to, computed in another way than by package event.
type eventFold struct {
	actor  *actor
	teams  []*foldedTeam
	rows   []*results.Row
	void   map[int]bool
	rounds int
	paused bool
}

type foldedTeam struct {
	name, nick string
	rests      bool
}

// countedMatches is the number of matches of a team that its rating follows from.
const countedMatches = 30

// foldEvent reads the logs of an event, which have no line that is not whole.
func foldEvent(a *actor, acts, rows []byte) *eventFold {
	f := &eventFold{actor: a, void: map[int]bool{}}
	for line := range bytes.Lines(rows) {
		row := new(results.Row)
		if err := json.Unmarshal(line, row); err != nil || row.K != len(f.rows) {
			a.violate("line %d of the log of results is %q: %v", len(f.rows)+1, line, err)
		}
		f.rows = append(f.rows, row)
	}
	done := 0
	var matches [][]int // of the last round
	for line := range bytes.Lines(acts) {
		var act struct {
			Act, Name, Nick    string
			Team, Match, First int
			On                 bool
			Matches            [][]int
		}
		if err := json.Unmarshal(line, &act); err != nil {
			a.violate("the log of acts has the line %q: %v", line, err)
		}
		switch act.Act {
		case "joined":
			f.teams = append(f.teams, &foldedTeam{name: act.Name, nick: act.Nick})
		case "renamed":
			f.teams[act.Team].name = act.Name
		case "rested":
			f.teams[act.Team].rests = act.On
		case "paused":
			f.paused = act.On
		case "void":
			f.void[act.Match] = act.On
		case "round":
			f.played(matches, done, act.First)
			f.rounds, matches, done = f.rounds+1, act.Matches, act.First
		}
	}
	f.played(matches, done, len(f.rows))
	return f
}

// played checks that each result of a round is that of one of its matches, and of no other's.
func (f *eventFold) played(matches [][]int, from, to int) {
	if to > len(f.rows) || from > to {
		f.actor.violate("a round begins after match %d, and the log has %d", to, len(f.rows))
		return
	}
	for _, row := range f.rows[from:to] {
		var teams []int
		for _, nick := range row.Bots {
			if i := slices.IndexFunc(f.teams, func(t *foldedTeam) bool { return t.nick == nick }); i >= 0 {
				teams = append(teams, i)
			}
		}
		i := slices.IndexFunc(matches, func(m []int) bool { return slices.Equal(m, teams) })
		if i < 0 {
			f.actor.violate("match %d of %q is not in its round, or is there twice", row.K+1, row.Bots)
			continue
		}
		matches = slices.Delete(slices.Clone(matches), i, i+1)
	}
}

// skills returns the skills of all teams before a match: those from their last matches, or from all
// of them.
func (f *eventFold) skills(before int) []rating.Skill {
	list := make([]rating.Skill, len(f.teams))
	for i := range list {
		list[i] = rating.NewSkill()
	}
	for k, row := range f.rows[:before] {
		if f.void[k] {
			continue
		}
		teams, skills, ranks := f.sides(row, list)
		for i, s := range rating.Update(skills, ranks) {
			list[teams[i]] = s
		}
	}
	return list
}

// sides returns the teams of a match, their skills and their ranks.
func (f *eventFold) sides(
	row *results.Row, all []rating.Skill,
) (teams []int, skills []rating.Skill, ranks []int) {
	for seat, nick := range row.Bots {
		if i := slices.IndexFunc(f.teams, func(t *foldedTeam) bool { return t.nick == nick }); i >= 0 {
			teams, skills, ranks = append(teams, i), append(skills, all[i]), append(ranks, row.Ranks[seat])
		}
	}
	return teams, skills, ranks
}

// lines describes the event as eventLines does.
func (f *eventFold) lines() string {
	ratings, counts := make([]float64, len(f.teams)), make([]int, len(f.teams))
	for i := range f.teams {
		var rows []int
		for k, row := range f.rows {
			if !f.void[k] && slices.Contains(row.Bots, f.teams[i].nick) {
				rows = append(rows, k)
			}
		}
		own := rating.NewSkill()
		for _, k := range rows[max(0, len(rows)-countedMatches):] {
			teams, skills, ranks := f.sides(f.rows[k], f.skills(k))
			at := slices.Index(teams, i)
			skills[at] = own
			own = rating.Update(skills, ranks)[at]
		}
		ratings[i], counts[i] = own.Mu-3*own.Sigma, len(rows)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d matches, %d rounds, paused: %t\n", len(f.rows), f.rounds, f.paused)
	for i, t := range f.teams {
		rank := 1
		for other := range f.teams { // teams without a match come last
			if counts[other] > 0 && counts[i] == 0 ||
				(counts[other] > 0) == (counts[i] > 0) && ratings[other] > ratings[i] {
				rank++
			}
		}
		fmt.Fprintf(&b, "%s, %q: %d matches, rank %d, %.6f, rests: %t\n", t.nick, t.name, counts[i], rank,
			ratings[i], t.rests)
	}
	return b.String()
}
