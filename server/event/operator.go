package event

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Rename gives a team another name. Its nickname stays.
func (e *Event) Rename(team int, name string) error {
	return e.act(func() (*Act, error) {
		if err := e.state.checkPresent(team); err != nil {
			return nil, err
		}
		name, err := e.checkName(name)
		return &Act{Kind: renamed, Team: team, Name: name, Text: e.state.teams[team].Name}, err
	})
}

// Rest lets a team rest, or play again.
func (e *Event) Rest(team int, on bool) error {
	return e.act(func() (*Act, error) { return &Act{Kind: rested, Team: team, On: on}, e.state.checkPresent(team) })
}

// Pause has no round begin, or has them begin again.
func (e *Event) Pause(on bool) error {
	return e.act(func() (*Act, error) { return &Act{Kind: paused, On: on}, nil })
}

// Void has a match not count, or count again.
func (e *Event) Void(match int, on bool) error {
	return e.act(func() (*Act, error) {
		return &Act{Kind: voided, Match: match, On: on}, e.state.checkMatch(match)
	})
}

// Hide hides a team from the screen, or shows it again.
func (e *Event) Hide(team int, on bool) error {
	return e.act(func() (*Act, error) { return &Act{Kind: hidden, Team: team, On: on}, e.state.checkPresent(team) })
}

// maxMessage bounds a message on the screen, in characters: three lines that are read from afar.
const maxMessage = 120

// Tell has the screen show a message, or none if it is empty.
func (e *Event) Tell(message string) error {
	return e.act(func() (*Act, error) {
		message = strings.TrimSpace(strings.ToValidUTF8(message, ""))
		if n := utf8.RuneCountInString(message); n > maxMessage {
			return nil, fmt.Errorf("the message has %d characters: shorten it to %d", n, maxMessage)
		}
		return &Act{Kind: told, Text: message}, nil
	})
}

// Again begins a round that is a match once more. The teams must be ready.
func (e *Event) Again(match int) (*Round, error) {
	err := e.act(func() (*Act, error) {
		if err := e.state.checkMatch(match); err != nil {
			return nil, err
		}
		e.state.closeRound()
		return &Act{Kind: begun, First: len(e.state.rows), Matches: [][]int{e.state.teamsOf(e.state.rows[match])}, On: true, Match: match}, nil
	})
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.last, nil
}

// teamsIn returns the teams of a match that was played, or an error.
func (e *Event) teamsIn(match int) ([]int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.state.checkMatch(match); err != nil {
		return nil, err
	}
	return e.state.teamsOf(e.state.rows[match]), nil
}

// newCode replaces the code for signing up.
func (e *Event) newCode() error {
	return e.act(func() (*Act, error) { return &Act{Kind: recoded}, nil })
}
