// Package state computes an event from its log. A [State] is the fold of acts and results, in the
// order in which they happened: it does no I/O, takes no lock and reads no clock.
//
// A method that is named after an act, such as [State.Rename], checks that the act is allowed and
// returns it; the caller writes it to the log and then calls [State.Apply].
package state

import (
	"fmt"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/stages"
)

// State is an event at a moment.
type State struct {
	Teams    Teams
	Versions Versions
	Exams    Exams
	Results  Results

	acts   int // that were applied
	seats  int // of a match
	field  *pairing.Field
	last   *Round        // nil: no round has begun
	tally  *tally        // of the results, up to date when it is asked for
	before *tally        // of the results before the last round, likewise
	final  *stages.Final // nil: there is none

	paused  bool
	message string // on the screen; "": there is none
	codes   int    // codes for signing up before the current one
}

// New returns the state before the first act. Matches have some seats; the names of built-in bots,
// which take those that teams leave free, are not available to teams.
func New(builtins []string, seats int) *State {
	return &State{
		Teams: newTeams(builtins), Versions: newVersions(), Exams: Exams{map[int][]*ExamRecord{}},
		Results: Results{void: map[int]bool{}, unrated: map[int]bool{}},
		seats:   seats, field: pairing.NewField(), tally: new(tally), before: new(tally),
	}
}

// Fold applies acts and results in the order in which they happened. The acts that say how many
// matches came before them order the results among the acts.
func (s *State) Fold(acts []Act, rows []*results.Row) error {
	for _, a := range acts {
		if first, says := matchesBefore(a); says {
			n := first - len(s.Results.rows)
			if n < 0 || n > len(rows) {
				return fmt.Errorf("act %d happened when %s were played, and log.ndjson has %d: "+
					"a part of the folder is lost or older; restore all of it from one copy",
					s.acts+1, textutil.Counted(first, "match", "matches"), len(s.Results.rows)+len(rows))
			}
			for _, row := range rows[:n] {
				if err := s.Add(row); err != nil {
					return err
				}
			}
			rows = rows[n:]
		}
		if err := s.Apply(a); err != nil {
			return fmt.Errorf("act %d: %w", s.acts+1, err)
		}
	}
	for _, row := range rows {
		if err := s.Add(row); err != nil {
			return err
		}
	}
	return nil
}

// matchesBefore returns the number of matches before an act. says is false for acts that do not
// depend on it.
func matchesBefore(a Act) (first int, says bool) {
	switch a := a.(type) {
	case *RoundStarted:
		return a.First, true
	case *VersionsFrozen:
		return a.First, true
	case *FinalStarted:
		return a.First, true
	}
	return 0, false
}

// Apply applies an act. It returns an error, and changes nothing, if the act does not fit.
func (s *State) Apply(a Act) error {
	if err := a.apply(s); err != nil {
		return err
	}
	s.acts++
	return nil
}

// Acts returns the number of acts that were applied.
func (s *State) Acts() int { return s.acts }

// Add adds the result of a match of the last round, and returns an error if it is not one.
func (s *State) Add(row *results.Row) error {
	table, err := s.TableOf(row)
	if err != nil {
		return err
	}
	s.last.played[table] = true
	s.Results.rows = append(s.Results.rows, row)
	s.countFailures(row)
	if s.last.Final {
		s.noteFinal(row)
	}
	return nil
}

// fold folds a name, so that names that look the same are equal.
func fold(name string) string { return nickname.Fold(name) }
