package state

import (
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
)

// View is an event at a moment, for those that show it.
type View struct {
	Standings []Standing
	Round     *Round         // the last one; nil before the first
	Rounds    int            // so far
	Last      []*results.Row // the last matches, the newest first
	Void      map[int]bool   // matches that do not count
	Names     map[string]string
	Matches   int
	Message   string // on the screen
	Paused    bool
	FinalOver bool  // the end of a final has paused rounds
	Deadline  int64 // when versions freeze, as Unix time in seconds; 0: there is no deadline
	Frozen    bool  // versions are frozen, and matches official
	Final     bool  // there is a final
}

// shownRows is the number of matches of a view: as many as a page shows at once.
const shownRows = 12

// View returns the event as it is now. What it points to does not change.
func (s *State) View() View {
	v := View{
		Standings: s.Standings(), Round: s.Last(), Rounds: s.Rounds(),
		Void: map[int]bool{}, Names: map[string]string{}, Matches: len(s.Results.rows),
		Message: s.message, Paused: s.paused, FinalOver: s.paused && s.final.Over(),
		Deadline: s.Versions.deadline, Frozen: s.Versions.frozen != nil, Final: s.final != nil,
	}
	for _, t := range s.Teams.list {
		v.Names[t.Nick] = t.Name
	}
	for _, row := range slices.Backward(s.Results.rows[max(0, len(s.Results.rows)-shownRows):]) {
		v.Last = append(v.Last, row)
		v.Void[row.K] = s.Results.void[row.K]
	}
	return v
}
