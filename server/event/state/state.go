// Package state computes an event from its log. A [State] is the fold of acts and results, in the
// order in which they happened: it does no I/O, takes no lock and reads no clock.
//
// A method that is named after an act, such as [State.Rename], checks that the act is allowed and
// returns it; the caller writes it to the log and then calls [State.Apply].
package state

import (
	"fmt"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/nickname"
)

// State is an event at a moment.
type State struct {
	builtins []string // names of the built-in bots
	seats    int      // of a match
	acts     int      // that were applied
	teams    teams
	field    *pairing.Field
	last     *Round // nil: no round has begun
	rows     []*results.Row
	tally    *tally       // of the rows, up to date when it is asked for
	before   *tally       // of the rows before the last round, likewise
	void     map[int]bool // by number of the match
	unrated  map[int]bool // matches of finals

	paused  bool
	message string // on the screen; "": there is none
	codes   int    // codes for signing up before the current one

	deadline int64   // Unix time in seconds; 0: there is none
	frozen   *freeze // nil: versions are not frozen
	final    *final  // nil: there is none
	versions versions
	exams    map[int][]*ExamRecord // by team, in the order in which its versions took exams
}

// New returns the state before the first act. Matches have some seats; the names of built-in bots,
// which take those that teams leave free, are not available to teams.
func New(builtins []string, seats int) *State {
	s := &State{
		builtins: builtins, seats: seats, teams: newTeams(builtins), field: pairing.NewField(),
		tally: new(tally), before: new(tally), void: map[int]bool{}, unrated: map[int]bool{},
		versions: newVersions(), exams: map[int][]*ExamRecord{},
	}
	return s
}

// Fold applies acts and results in the order in which they happened. The acts that say how many
// matches came before them order the results among the acts.
func (s *State) Fold(acts []Act, rows []*results.Row) error {
	for _, a := range acts {
		if first, says := matchesBefore(a); says {
			n := first - len(s.rows)
			if n < 0 || n > len(rows) {
				return fmt.Errorf("act %d happened when %s were played, and log.ndjson has %d: "+
					"a part of the folder is lost or older; restore all of it from one copy",
					s.acts+1, textutil.Counted(first, "match", "matches"), len(s.rows)+len(rows))
			}
			if err := s.addAll(rows[:n]); err != nil {
				return err
			}
			rows = rows[n:]
		}
		if err := s.Apply(a); err != nil {
			return fmt.Errorf("act %d: %w", s.acts+1, err)
		}
	}
	return s.addAll(rows)
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

// Matches returns the number of results.
func (s *State) Matches() int { return len(s.rows) }

func (s *State) addAll(rows []*results.Row) error {
	for _, row := range rows {
		if err := s.Add(row); err != nil {
			return err
		}
	}
	return nil
}

// Add adds the result of a match of the last round, and returns an error if it is not one.
func (s *State) Add(row *results.Row) error {
	table, err := s.TableOf(row)
	if err != nil {
		return err
	}
	s.last.played[table] = true
	s.rows = append(s.rows, row)
	s.countFailures(row)
	if s.last.Final {
		s.noteFinal(row)
	}
	return nil
}

// Row returns the result of a match, or an error if it was not played.
func (s *State) Row(match int) (*results.Row, error) {
	if match < 0 || match >= len(s.rows) {
		return nil, fmt.Errorf("match %d was not played: there are %d", match+1, len(s.rows))
	}
	return s.rows[match], nil
}

// counts reports whether a match is rated.
func (s *State) counts(match int) bool { return !s.void[match] && !s.unrated[match] }

// IsVoid reports whether a match does not count.
func (s *State) IsVoid(match int) bool { return s.void[match] }

// MatchVoided makes a match not count, or count again.
type MatchVoided struct {
	Head
	On    bool `json:"on,omitempty"`
	Match int  `json:"match,omitempty"` // from 0
}

func (*MatchVoided) kind() string { return "void" }

func (a *MatchVoided) apply(s *State) error {
	s.void[a.Match] = a.On
	s.retally(a.Match)
	return nil
}

// Void makes a match not count, or count again.
func (s *State) Void(match int, on bool) (Act, error) {
	_, err := s.Row(match)
	return &MatchVoided{Match: match, On: on}, err
}

// NameOf returns the name of the team with a nickname, or says that a built-in bot has it.
func (s *State) NameOf(nick string) string {
	if t := s.teams.byNick[nick]; t != nil {
		return t.Name
	}
	return nick + " (built-in)"
}

// fold folds a name, so that names that look the same are equal.
func fold(name string) string { return nickname.Fold(name) }
