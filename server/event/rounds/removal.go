package rounds

import (
	"fmt"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// changeTeams removes teams, or brings them back, and returns a note for the operator on their
// matches.
func (r *Rounds) changeTeams(teams []int, on bool) (note string, err error) {
	err = r.event.Do(func(s *state.State) (state.Act, error) {
		a, err := s.Teams.Remove(teams, on)
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

// RemoveTeams removes teams, or brings them back, and disconnects the bots of those that it
// removes.
func (r *Rounds) RemoveTeams(teams []int, on bool) (note string, err error) {
	if note, err = r.changeTeams(teams, on); err != nil || !on {
		return note, err
	}
	for _, number := range teams {
		r.Practices.Stop(number)
		r.arena.kick(event.Key(number))
	}
	return note, nil
}
