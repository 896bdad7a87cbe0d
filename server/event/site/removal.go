package site

import (
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// removeFrom removes the teams that have signed up from an address in the last minutes.
func (s *Site) removeFrom(address string, minutes int) (note string, err error) {
	if address == "" || minutes < 1 {
		return "", errors.New(
			"want an address, and for how many minutes back its teams are to be removed")
	}
	since := time.Now().Add(-time.Duration(minutes) * time.Minute).Unix()
	teams := event.Ask(s.Event, func(s *state.State) []int { return s.Teams.From(address, since) })
	if len(teams) == 0 {
		return "", fmt.Errorf("no team has signed up from %.60q in the last %d minutes", address, minutes)
	}
	if note, err = s.Rounds.RemoveTeams(teams, true); err == nil {
		s.signUps.forget(address)
	}
	return note, err
}
