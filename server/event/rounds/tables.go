package rounds

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/feed"
)

// Table is a match of the round that is played.
type Table struct {
	Number int        // in the round, from 1
	Teams  []int      // by seat
	Feed   *feed.Feed // nil: there is no page
}

func (r *Rounds) addTable(round *state.Round, i int, f *feed.Feed) *Table {
	t := &Table{Number: i + 1, Teams: round.Matches[i], Feed: f}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tables = append(r.tables, t)
	return t
}

func (r *Rounds) removeTable(t *Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tables = slices.DeleteFunc(r.tables, func(other *Table) bool { return other == t })
}

// Tables returns the matches that are being played.
func (r *Rounds) Tables() (playing []Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tables {
		playing = append(playing, *t)
	}
	return playing
}

// TableOf returns the match that a team plays, or nil.
func (r *Rounds) TableOf(team int) *Table {
	for _, t := range r.Tables() {
		if slices.Contains(t.Teams, team) {
			return &t
		}
	}
	return nil
}

// noteWaiting notes since when the teams wait that are ready.
func (r *Rounds) noteWaiting(ready []int) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	for team := range r.since {
		if !slices.Contains(ready, team) {
			delete(r.since, team)
		}
	}
	for _, team := range ready {
		if r.since[team].IsZero() {
			r.since[team] = now
		}
	}
}

// Waited returns how long a team has waited.
func (r *Rounds) Waited(team int) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, waits := r.since[team]; waits {
		return time.Since(at)
	}
	return 0
}
