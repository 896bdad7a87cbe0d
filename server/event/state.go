package event

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/nickname"
)

// Team is a team of an event.
type Team struct {
	Number  int
	Name    string // for pages
	Nick    string // on the wire, and in the log of results
	Resting bool   // the operator let it rest
	Hidden  bool   // the operator hid it from the screen
	Removed bool   // the operator removed it: see [Event.Remove]
	From    string // the address that it signed up from; "": it is of the class list
	Joined  int64  // when, as Unix time in seconds
}

// Round is a round that began.
type Round struct {
	Number  int     // from 1
	First   int     // matches before it
	Matches [][]int // teams by seat
	Waiting []int   // teams that were ready, and have no match
	Again   bool    // it is one match that is played again, and does not change what teams have played

	Final bool // its matches are those of a final, which are not rated

	played []bool // the matches that have a result
	closed bool   // the field has counted it
}

// state is what the acts and the results of an event amount to. It depends on them and their order, and on nothing
// else.
type state struct {
	teams  []*Team
	names  map[string]bool // folded names of teams
	called map[string]int  // folded names that teams have or had: the number of the last one that took it
	nicks  map[string]*Team
	taken  map[string]bool // folded nicknames, with those of built-in bots
	field  *pairing.Field
	last   *Round // nil: none has begun
	rows   []*results.Row
	tally  *tally       // of the rows, up to date when it is asked for
	before *tally       // of the rows before the last round, as well
	void   map[int]bool // by number of the match
	paused bool
	told   string // the message on the screen; "": there is none
	codes  int    // how many codes came before the one that is needed to sign up

	acts     int          // that were applied
	deadline int64        // Unix time in seconds; 0: there is none
	frozen   *freeze      // nil: versions are not frozen
	final    *final       // nil: there is none
	unrated  map[int]bool // matches of finals

	sent     map[int][]*Sent        // by team: what it sent, the one that it chose last at the end
	sends    map[int]int            // by team: how often it sent something
	failures map[int]map[string]int // by team and version: matches in a row that it did not hold out
	exams    map[int][]*examRecord  // by team: how its versions did, in the order in which they took exams
}

// newState returns the state before the first act. reserved are names that no team has on the wire.
func newState(reserved []string) *state {
	s := &state{
		names: map[string]bool{}, called: map[string]int{}, nicks: map[string]*Team{}, taken: map[string]bool{}, field: pairing.NewField(), void: map[int]bool{},
		sent: map[int][]*Sent{}, sends: map[int]int{}, failures: map[int]map[string]int{}, unrated: map[int]bool{},
		exams: map[int][]*examRecord{}, tally: new(tally), before: new(tally),
	}
	for _, name := range reserved {
		s.taken[nickname.Fold(name)] = true
	}
	return s
}

// fold applies acts and results in the order in which they happened.
func (s *state) fold(acts []*Act, rows []*results.Row) error {
	for _, a := range acts {
		if a.Kind == begun || a.Kind == frozen || a.Kind == finals {
			if a.First < len(s.rows) || a.First > len(s.rows)+len(rows) {
				return fmt.Errorf("act %d happened when %s were played, and log.ndjson has %d: "+
					"a part of the folder is lost or older; restore all of it from one copy",
					s.acts+1, textutil.Counted(a.First, "match", "matches"), len(s.rows)+len(rows))
			}
			n := a.First - len(s.rows)
			if err := s.addAll(rows[:n]); err != nil {
				return err
			}
			rows = rows[n:]
		}
		if err := s.apply(a); err != nil {
			return fmt.Errorf("act %d: %w", s.acts+1, err)
		}
	}
	return s.addAll(rows)
}

// apply applies an act. It returns an error, and changes nothing, if the act does not fit.
func (s *state) apply(a *Act) error {
	switch a.Kind {
	case joined, begun, voided, paused, recoded, told, changed, deadline, frozen, finals, removed:
	case renamed, rested, hidden, kicked, sent, tried, benched, examined:
		if err := s.checkTeam(a.Team); err != nil {
			return err
		}
	default:
		return fmt.Errorf("there is no act %q", a.Kind)
	}
	s.acts++
	switch a.Kind {
	case joined:
		if a.Team != len(s.teams) || s.nicks[a.Nick] != nil {
			return fmt.Errorf("team %d joins as %q, and there are %d", a.Team, a.Nick, len(s.teams))
		}
		t := &Team{Number: s.field.AddTeam(), Name: a.Name, Nick: a.Nick, From: a.From, Joined: a.At}
		s.teams, s.nicks[t.Nick] = append(s.teams, t), t
		s.names[nickname.Fold(t.Name)], s.taken[nickname.Fold(t.Nick)] = true, true
		s.called[nickname.Fold(t.Name)] = t.Number
	case renamed:
		t := s.teams[a.Team]
		delete(s.names, nickname.Fold(t.Name))
		t.Name = a.Name
		s.names[nickname.Fold(t.Name)], s.called[nickname.Fold(t.Name)] = true, t.Number
	case rested:
		s.teams[a.Team].Resting = a.On
		clear(s.failures[a.Team])
	case removed:
		return s.applyRemoved(a)
	case sent, tried, benched:
		return s.applySent(a)
	case examined:
		return s.applyExamined(a)
	case deadline, frozen:
		s.applyFreeze(a)
	case finals:
		return s.applyFinal(a)
	case begun:
		return s.begin(a)
	case voided:
		s.void[a.Match] = a.On
		s.retally(a.Match)
	case paused:
		s.paused = a.On
	case hidden:
		s.teams[a.Team].Hidden = a.On
	case told:
		s.told = a.Text
	case recoded:
		s.codes++
	}
	return nil
}

// checkTeam returns an error if there is no team with a number.
func (s *state) checkTeam(team int) error {
	if team < 0 || team >= len(s.teams) {
		return fmt.Errorf("there is no team %d", team)
	}
	return nil
}

// checkMatch returns an error unless a match was played.
func (s *state) checkMatch(match int) error {
	if match < 0 || match >= len(s.rows) {
		return fmt.Errorf("match %d was not played: there are %d", match+1, len(s.rows))
	}
	return nil
}

// begin begins a round.
func (s *state) begin(a *Act) error {
	seen := map[int]bool{}
	for _, team := range slices.Concat(append(slices.Clone(a.Matches), a.Waiting)...) {
		if team < 0 || team >= len(s.teams) || seen[team] {
			return fmt.Errorf("a round has the team %d, twice or before it joined", team)
		}
		seen[team] = true
	}
	s.closeRound()
	s.last = &Round{
		Number: s.rounds() + 1, First: a.First, Matches: a.Matches, Waiting: a.Waiting, played: make([]bool, len(a.Matches)),
		Again: a.On, Final: a.Final,
	}
	return nil
}

// counts reports whether a match is rated.
func (s *state) counts(match int) bool { return !s.void[match] && !s.unrated[match] }

// rounds returns how many rounds have begun.
func (s *state) rounds() int {
	if s.last == nil {
		return 0
	}
	return s.last.Number
}

// closeRound has the field count the last round, once. Matches without a result, which the end of the program
// interrupted, do not count, and their teams not as ready.
func (s *state) closeRound() {
	r := s.last
	if r == nil || r.closed {
		return
	}
	r.closed = true
	if r.Again || r.Final {
		return
	}
	var matches [][]int
	for i, m := range r.Matches {
		if r.played[i] {
			matches = append(matches, m)
		}
	}
	s.field.Add(matches, r.Waiting)
}

func (s *state) addAll(rows []*results.Row) error {
	for _, row := range rows {
		if err := s.add(row); err != nil {
			return err
		}
	}
	return nil
}

// tableOf returns which match of the last round a row is the result of. A round has each team in at most one match, so that the
// teams say which one it is.
func (s *state) tableOf(row *results.Row) (int, error) {
	r := s.last
	if r == nil {
		return 0, fmt.Errorf("match %d has no round", row.K)
	}
	teams := s.teamsOf(row)
	i := slices.IndexFunc(r.Matches, func(m []int) bool { return slices.Equal(m, teams) })
	if i < 0 || r.played[i] {
		return 0, fmt.Errorf("match %d of %q is not in round %d, or was played in it", row.K, row.Bots, r.Number)
	}
	return i, nil
}

// add adds the result of a match of the last round.
func (s *state) add(row *results.Row) error {
	i, err := s.tableOf(row)
	if err != nil {
		return err
	}
	s.last.played[i] = true
	s.rows = append(s.rows, row)
	s.countFailures(row)
	if s.last.Final {
		s.noteFinal(row)
	}
	return nil
}

// teamsOf returns the numbers of the teams in a row, by seat.
func (s *state) teamsOf(row *results.Row) []int {
	teams, _ := s.seatsOf(row)
	return teams
}

// seatsOf returns the numbers of the teams in a row, and the seat of each.
func (s *state) seatsOf(row *results.Row) (teams, seats []int) {
	for seat, nick := range row.Bots {
		if t := s.nicks[nick]; t != nil {
			teams, seats = append(teams, t.Number), append(seats, seat)
		}
	}
	return teams, seats
}
