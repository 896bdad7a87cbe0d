package event

import (
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/event/state"
)

// remove removes teams, or brings them back, and returns a note for the operator on their matches.
func (e *Event) remove(teams []int, on bool) (note string, err error) {
	err = e.Do(func(s *state.State) (state.Act, error) {
		a, err := s.Remove(teams, on)
		if err == nil {
			note = removalNote(len(teams), s.HavePlayed(teams), on)
		}
		return a, err
	})
	return note, err
}

// removalNote returns a note on teams that were removed, or are back, and on their matches.
func removalNote(teams int, played, on bool) string {
	switch {
	case !on:
		return fmt.Sprintf("teams that are back, with their tokens and matches: %d", teams)
	case !played:
		return fmt.Sprintf("teams that were removed: %d; they have played no match that counts", teams)
	}
	return fmt.Sprintf("teams that were removed: %d; their matches still count for the teams that "+
		"they met, unless you void them", teams)
}

// removeTeams removes teams, or brings them back, and disconnects the bots of those that it removes.
func (r *Rounds) removeTeams(teams []int, on bool) (note string, err error) {
	if note, err = r.event.remove(teams, on); err != nil || !on {
		return note, err
	}
	for _, number := range teams {
		r.stopPractice(number)
		if h := r.host.Load(); h != nil {
			h.Kick(keyOf(number))
		}
	}
	return note, nil
}

// removeFrom removes the teams that have signed up from an address in the last minutes.
func (s *Site) removeFrom(address string, minutes int) (note string, err error) {
	if address == "" || minutes < 1 {
		return "", errors.New("want an address, and for how many minutes back its teams are to be removed")
	}
	since := time.Now().Add(-time.Duration(minutes) * time.Minute).Unix()
	teams := ask(s.Event, func(s *state.State) []int { return s.TeamsFrom(address, since) })
	if len(teams) == 0 {
		return "", fmt.Errorf("no team has signed up from %.60q in the last %d minutes", address, minutes)
	}
	if note, err = s.Rounds.removeTeams(teams, true); err == nil {
		s.signUps.forget(address)
	}
	return note, err
}
