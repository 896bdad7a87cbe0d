package event

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/nickname"
)

// checkPresent returns an error unless there is a team with a number that was not removed.
func (s *state) checkPresent(team int) error {
	if err := s.checkTeam(team); err != nil {
		return err
	}
	if s.teams[team].Removed {
		return fmt.Errorf("team %d, %s, was removed: bring it back first", team, s.teams[team].Name)
	}
	return nil
}

// present returns the number of teams that were not removed.
func (s *state) present() (n int) {
	for _, t := range s.teams {
		if !t.Removed {
			n++
		}
	}
	return n
}

// present returns the number of teams that were not removed.
func (e *Event) present() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.present()
}

// checkRemoval returns an error unless teams can be removed, or brought back.
func (s *state) checkRemoval(teams []int, on bool) error {
	if len(teams) == 0 {
		return errors.New("there is no such team")
	}
	names := map[string]bool{}
	for _, number := range teams {
		if err := s.checkTeam(number); err != nil {
			return err
		}
		t := s.teams[number]
		switch folded := nickname.Fold(t.Name); {
		case on && t.Removed:
			return fmt.Errorf("the team %q is removed already", t.Name)
		case !on && !t.Removed:
			return fmt.Errorf("the team %q is not removed", t.Name)
		case !on && (s.names[folded] || names[folded]):
			return fmt.Errorf("another team has the name %q now: rename that one first", t.Name)
		default:
			names[folded] = true
		}
	}
	if !on && s.present()+len(teams) > MaxTeams {
		return errFull
	}
	return nil
}

// applyRemoved removes teams or brings them back. While a team is removed, another one may take its
// name, but not its nickname, which results have.
func (s *state) applyRemoved(a *Act) error {
	if err := s.checkRemoval(a.Teams, a.On); err != nil {
		return err
	}
	for _, number := range a.Teams {
		t := s.teams[number]
		t.Removed = a.On
		if folded := nickname.Fold(t.Name); a.On {
			delete(s.names, folded)
		} else {
			s.names[folded] = true
		}
	}
	return nil
}

// havePlayed reports whether one of some teams has played a match that counts.
func (s *state) havePlayed(teams []int) bool {
	return slices.ContainsFunc(teams, func(team int) bool { return s.tallied().team(team).Rated > 0 })
}

// Remove removes teams, or brings them back, and returns the operator's note on their matches: a
// removed team cannot log in, does not play and is on no page, and its matches count on for the others.
func (e *Event) Remove(teams []int, on bool) (note string, err error) {
	teams = slices.Compact(slices.Sorted(slices.Values(teams)))
	err = e.act(func() (*Act, error) {
		err := e.state.checkRemoval(teams, on)
		if err == nil {
			note = removalNote(len(teams), e.state.havePlayed(teams), on)
		}
		return &Act{Kind: removed, Teams: teams, On: on}, err
	})
	return note, err
}

// removalNote returns what becomes of teams and of the matches that they have played.
func removalNote(teams int, played, on bool) string {
	switch {
	case !on:
		return fmt.Sprintf("teams that are back, with their tokens and matches: %d", teams)
	case !played:
		return fmt.Sprintf("teams that were removed: %d; they have played no match that counts", teams)
	}
	return fmt.Sprintf("teams that were removed: %d; their matches still count for the teams that they met, unless you void them", teams)
}

// teamsFrom returns the teams that have signed up from an address since a time.
func (e *Event) teamsFrom(address string, since time.Time) (teams []int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.state.teams {
		if !t.Removed && t.From == address && t.Joined >= since.Unix() {
			teams = append(teams, t.Number)
		}
	}
	return teams
}

// removeTeams removes teams, or brings them back, and disconnects the bots of those that it removes.
func (r *Rounds) removeTeams(teams []int, on bool) (note string, err error) {
	if note, err = r.event.Remove(teams, on); err != nil || !on {
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
	teams := s.Event.teamsFrom(address, time.Now().Add(-time.Duration(minutes)*time.Minute))
	if len(teams) == 0 {
		return "", fmt.Errorf("no team has signed up from %.60q in the last %d minutes", address, minutes)
	}
	if note, err = s.Rounds.removeTeams(teams, true); err == nil {
		s.signUps.forget(address)
	}
	return note, err
}
