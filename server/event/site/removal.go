package site

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// forget removes a team for good, if its name is typed: nothing brings it back.
func (o operator) forget(team int, name string) (note string, err error) {
	err = event.Ask(o.Event, func(s *state.State) error {
		typed, err := s.Teams.Find(strings.TrimSpace(name))
		if err == nil && typed != team {
			err = fmt.Errorf("%.40q is another team", name)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("type the name of the team to forget it for good: %w", err)
	}
	return o.Rounds.ForgetTeam(team)
}

// removeFrom removes the teams that have signed up from an address in the last minutes.
func (o operator) removeFrom(address string, minutes int) (note string, err error) {
	if address == "" || minutes < 1 {
		return "", errors.New(
			"want an address, and for how many minutes back its teams are to be removed")
	}
	since := time.Now().Add(-time.Duration(minutes) * time.Minute).Unix()
	teams := event.Ask(o.Event, func(s *state.State) []int { return s.Teams.From(address, since) })
	if len(teams) == 0 {
		return "", fmt.Errorf("no team has signed up from %.60q in the last %d minutes", address, minutes)
	}
	if note, err = o.Rounds.RemoveTeams(teams, true); err == nil {
		o.signUps.forget(address)
	}
	return note, err
}
