package state

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
)

// Problem is something that went wrong for a team in the last round, or that keeps its version from
// the next one.
type Problem struct {
	Team  int
	Match int    // from 1; 0: it is not of a match
	Text  string // follows the name of the team
}

// failures are the kinds of forfeits in words.
var failures = map[string]string{
	results.Absent: "never logged in", results.Unstarted: "was not started",
	results.Crash: "crashed", results.Left: "left before the end", results.Hung: "ceased to answer",
}

// Problems returns what went wrong in the last round, match by match, and then the versions that
// play no rounds, by team.
func (s *State) Problems() (list []Problem) {
	for _, row := range s.LastRows() {
		teams, seats := s.Teams.seatsIn(row)
		for i, team := range teams {
			if kind := row.Forfeits[seats[i]]; kind != "" {
				text, known := failures[kind]
				if !known {
					text = "ended with " + kind
				}
				list = append(list, Problem{team, row.K + 1, text})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Problem) int { return a.Match - b.Match })
	for _, t := range s.Teams.list {
		if t.Removed {
			continue
		}
		if text := s.Versions.problem(t.Number); text != "" {
			list = append(list, Problem{Team: t.Number, Text: text})
		}
	}
	return list
}

// problem returns why the version that a team sent last plays no rounds, "" if it does or none was
// sent.
func (vs *Versions) problem(team int) string {
	v := vs.newest(team)
	switch {
	case v == nil || !v.Tried:
		return ""
	case !v.Good:
		return fmt.Sprintf("has sent %s, which plays no rounds: %s", v.File, v.Reason)
	case vs.Benched(team, v.Name()) && v.Failed != "":
		return fmt.Sprintf("has a version that rests, %s, as it failed %d matches in a row; in the "+
			"last one %s", v.File, MaxFailures, v.Failed)
	case vs.Benched(team, v.Name()):
		return fmt.Sprintf("has a version that rests, %s, as it failed %d matches in a row",
			v.File, MaxFailures)
	}
	return ""
}
