package rounds

import (
	"context"
	"fmt"
	"strings"

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

// ForgetTeam removes a team for good, with all that it made, also from workers, and returns
// a note on other files in the event's folder.
func (r *Rounds) ForgetTeam(team int) (note string, err error) {
	var f event.Foreign
	forget := func() (err error) {
		f, err = r.event.Forget(team)
		return err
	}
	if store := r.opts.Store; store != nil {
		err = store.Hold(forget)
	} else {
		err = forget()
	}
	if err == nil {
		r.Practices.Stop(team)
		r.arena.kick(event.Key(team))
		r.Outputs.forget(team)
		// also if the browser that asked is gone
		err = r.opts.Workers.Forget(context.Background())
	}
	return ForgetNote(f), err
}

// ForgetNote returns a note on the files in an event's folder that are not the event's.
func ForgetNote(f event.Foreign) string {
	var notes []string
	if len(f.Exports) > 0 {
		notes = append(notes, "exports whose files were removed, which cup export writes again: "+
			strings.Join(f.Exports, ", "))
	}
	if len(f.Named) > 0 {
		notes = append(notes, "these files name the team, and are yours to change or delete: "+
			strings.Join(f.Named, ", "))
	}
	if len(f.Unsearched) > 0 {
		notes = append(notes, "these files may name the team, but are too long to be searched or "+
			"cannot be read: "+strings.Join(f.Unsearched, ", "))
	}
	return strings.Join(notes, "; ")
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
