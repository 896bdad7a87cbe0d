package state

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
)

const (
	// MaxTeams bounds the teams of an event: pairing 500 takes a second, and sign-ups are open to
	// all that know the code.
	MaxTeams = 200
	// maxNumbers bounds the teams together with those that were removed, which keep their numbers:
	// the meetings of 1000 take 8 MB.
	maxNumbers = 1000
)

var (
	errFull = fmt.Errorf(
		"there are %d teams, which is the most that an event has", MaxTeams)
	errNumbers = fmt.Errorf("%d teams have signed up, with those that were removed, which is the "+
		"most: begin another event in another folder", maxNumbers)
)

// Team is a team of an event.
type Team struct {
	Number  int    // from 0
	Name    string // for pages
	Nick    string // on the wire, and in the log of results
	Resting bool   // the operator let it rest
	Hidden  bool   // the operator hid it from the screen
	Removed bool   // the operator removed it: see [State.Remove]
	// Forgotten says that it was removed for good: see [TeamForgotten].
	Forgotten bool
	From      string // the address that it signed up from; "": it is of the class list
	Joined    int64  // Unix time in seconds
	Declared
}

// Teams are all teams of an event with their names.
type Teams struct {
	builtins []string // names of the built-in bots
	list     []*Team
	byNick   map[string]*Team
	names    map[string]bool // folded names of teams that were not removed
	called   map[string]int  // folded names, also former ones: the number of the last team with it
	nicks    map[string]bool // folded nicknames, with the names of built-in bots
}

func newTeams(builtins []string) Teams {
	t := Teams{
		builtins: builtins, byNick: map[string]*Team{}, names: map[string]bool{},
		called: map[string]int{}, nicks: map[string]bool{},
	}
	for _, name := range builtins {
		t.nicks[fold(name)] = true
	}
	return t
}

// All returns all teams by their numbers, with those that were removed. They must not be changed.
func (ts *Teams) All() []*Team { return ts.list }

// namesOf returns the names of teams.
func (ts *Teams) namesOf(numbers []int) []string {
	list := []string{}
	for _, number := range numbers {
		list = append(list, ts.list[number].Name)
	}
	return list
}

// Called returns the number of the team that has a name, in any form that looks the same, or that
// had it last. found is false if no team has had the name.
func (ts *Teams) Called(name string) (team int, found bool) {
	team, found = ts.called[fold(name)]
	return team, found
}

// Present returns the number of teams that were not removed.
func (ts *Teams) Present() (n int) {
	for _, t := range ts.list {
		if !t.Removed {
			n++
		}
	}
	return n
}

// From returns the teams that have signed up from an address since a Unix time in seconds, and
// were not removed.
func (ts *Teams) From(address string, since int64) (numbers []int) {
	for _, t := range ts.list {
		if !t.Removed && t.From == address && t.Joined >= since {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

// In returns the numbers of the teams in a row, by seat.
func (ts *Teams) In(row *results.Row) []int {
	numbers, _ := ts.seatsIn(row)
	return numbers
}

// seatsIn returns the numbers of the teams in a row, and the seat of each.
func (ts *Teams) seatsIn(row *results.Row) (numbers, seats []int) {
	for seat, nick := range row.Bots {
		if t := ts.byNick[nick]; t != nil {
			numbers, seats = append(numbers, t.Number), append(seats, seat)
		}
	}
	return numbers, seats
}

// check returns an error if there is no team with a number.
func (ts *Teams) check(team int) error {
	if team < 0 || team >= len(ts.list) {
		return fmt.Errorf("there is no team %d", team)
	}
	return nil
}

// checkPresent returns an error unless there is a team with a number that was not removed.
func (ts *Teams) checkPresent(team int) error {
	if err := ts.check(team); err != nil {
		return err
	}
	switch t := ts.list[team]; {
	case t.Forgotten:
		return ErrForgotten
	case t.Removed:
		return fmt.Errorf("team %d, %s, was removed: bring it back first", team, t.Name)
	}
	return nil
}

// TeamJoined adds a team.
type TeamJoined struct {
	Head
	Team int    `json:"team,omitempty"`
	Name string `json:"name,omitempty"`
	Nick string `json:"nick,omitempty"`
	From string `json:"from,omitempty"` // as [Team.From]
	Declared
	// Forgotten says that the team was forgotten since, so that the act has nothing else of it.
	Forgotten bool `json:"forgotten,omitempty"`
}

func (*TeamJoined) kind() string { return "joined" }

func (a *TeamJoined) apply(s *State) error {
	if a.Team != len(s.Teams.list) || s.Teams.byNick[a.Nick] != nil {
		return fmt.Errorf("team %d joins as %q, and there are %d", a.Team, a.Nick, len(s.Teams.list))
	}
	t := &Team{
		Number: s.field.AddTeam(), Name: a.Name, Nick: a.Nick, From: a.From, Joined: a.At,
		Declared: a.Declared,
	}
	if a.Forgotten {
		t.Name, t.Nick = fmt.Sprint("forgotten team ", a.Team+1), erasedNick(a.Team)
		t.Removed, t.Forgotten = true, true
		s.Teams.list, s.Teams.byNick[t.Nick] = append(s.Teams.list, t), t
		return nil
	}
	s.Teams.list, s.Teams.byNick[t.Nick] = append(s.Teams.list, t), t
	s.Teams.byNick[erasedNick(t.Number)] = t // which rows have before the log of acts is erased
	s.Teams.names[fold(t.Name)], s.Teams.nicks[fold(t.Nick)] = true, true
	s.Teams.called[fold(t.Name)] = t.Number
	return nil
}

// DropAddress removes the address from an act that adds a team, and reports whether it had one.
func DropAddress(a Act) bool {
	joined, is := a.(*TeamJoined)
	if !is || joined.From == "" {
		return false
	}
	joined.From = ""
	return true
}

// SignUp adds a team with a name from an address; "" for a team of the class list.
func (ts *Teams) SignUp(name, address string) (*TeamJoined, error) {
	a := &TeamJoined{Team: len(ts.list), From: address}
	switch {
	case a.Team >= maxNumbers:
		return nil, errNumbers
	case ts.Present() >= MaxTeams:
		return nil, errFull
	}
	var err error
	if a.Name, err = ts.checkName(name); err != nil {
		return nil, err
	}
	a.Nick = nicknameOf(a.Name, ts.nicks)
	return a, nil
}

// TeamRenamed gives a team another name. Its nickname stays.
type TeamRenamed struct {
	Head
	Team int    `json:"team,omitempty"`
	Name string `json:"name,omitempty"`
	Old  string `json:"text,omitempty"` // the name before
}

func (*TeamRenamed) kind() string { return "renamed" }

func (a *TeamRenamed) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	t := s.Teams.list[a.Team]
	delete(s.Teams.names, fold(t.Name))
	t.Name = a.Name
	s.Teams.names[fold(t.Name)], s.Teams.called[fold(t.Name)] = true, t.Number
	return nil
}

// Rename gives a team another name.
func (ts *Teams) Rename(team int, name string) (Act, error) {
	if err := ts.checkPresent(team); err != nil {
		return nil, err
	}
	name, err := ts.checkName(name)
	return &TeamRenamed{Team: team, Name: name, Old: ts.list[team].Name}, err
}

// TeamRested marks a team as resting, or as playing again.
type TeamRested struct {
	Head
	Team int  `json:"team,omitempty"`
	On   bool `json:"on,omitempty"`
}

func (*TeamRested) kind() string { return "rested" }

func (a *TeamRested) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	s.Teams.list[a.Team].Resting = a.On
	clear(s.Versions.failures[a.Team])
	return nil
}

// Rest marks a team as resting, or as playing again.
func (ts *Teams) Rest(team int, on bool) (Act, error) {
	return &TeamRested{Team: team, On: on}, ts.checkPresent(team)
}

// TeamHidden hides a team from the screen, or shows it again.
type TeamHidden struct {
	Head
	Team int  `json:"team,omitempty"`
	On   bool `json:"on,omitempty"`
}

func (*TeamHidden) kind() string { return "hidden" }

func (a *TeamHidden) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	s.Teams.list[a.Team].Hidden = a.On
	return nil
}

// Hide hides a team from the screen, or shows it again.
func (ts *Teams) Hide(team int, on bool) (Act, error) {
	return &TeamHidden{Team: team, On: on}, ts.checkPresent(team)
}

// BotsKicked records that the bots of a team were disconnected. They may come back.
type BotsKicked struct {
	Head
	Team int `json:"team,omitempty"`
}

func (*BotsKicked) kind() string { return "kick" }

func (a *BotsKicked) apply(s *State) error { return s.Teams.check(a.Team) }

// Kick records that the bots of a team are disconnected.
func (ts *Teams) Kick(team int) (Act, error) { return &BotsKicked{Team: team}, ts.checkPresent(team) }

// TeamsRemoved removes teams, or brings them back. While a team is removed, another one may take
// its name, but not its nickname, which results have.
type TeamsRemoved struct {
	Head
	On    bool  `json:"on,omitempty"`
	Teams []int `json:"teams,omitempty"`
}

func (*TeamsRemoved) kind() string { return "removed" }

func (a *TeamsRemoved) apply(s *State) error {
	if err := s.Teams.checkRemoval(a.Teams, a.On); err != nil {
		return err
	}
	for _, number := range a.Teams {
		t := s.Teams.list[number]
		t.Removed = a.On
		if folded := fold(t.Name); a.On {
			delete(s.Teams.names, folded)
		} else {
			s.Teams.names[folded] = true
		}
	}
	return nil
}

// checkRemoval returns an error unless teams can be removed, or brought back.
func (ts *Teams) checkRemoval(numbers []int, on bool) error {
	if len(numbers) == 0 {
		return errors.New("there is no such team")
	}
	names := map[string]bool{}
	for _, number := range numbers {
		if err := ts.check(number); err != nil {
			return err
		}
		t := ts.list[number]
		switch folded := fold(t.Name); {
		case t.Forgotten:
			return ErrForgotten
		case on && t.Removed:
			return fmt.Errorf("the team %q is removed already", t.Name)
		case !on && !t.Removed:
			return fmt.Errorf("the team %q is not removed", t.Name)
		case !on && (ts.names[folded] || names[folded]):
			return fmt.Errorf("another team has the name %q now: rename that one first", t.Name)
		default:
			names[folded] = true
		}
	}
	if !on && ts.Present()+len(numbers) > MaxTeams {
		return errFull
	}
	return nil
}

// Remove removes teams, or brings them back: a removed team cannot log in, does not play and is on
// no page, and its matches count on for the others.
func (ts *Teams) Remove(numbers []int, on bool) (Act, error) {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	return &TeamsRemoved{Teams: numbers, On: on}, ts.checkRemoval(numbers, on)
}

// HavePlayed reports whether one of some teams has played a match that counts.
func (s *State) HavePlayed(numbers []int) bool {
	played := func(team int) bool { return s.tallied().team(team).Rated > 0 }
	return slices.ContainsFunc(numbers, played)
}
