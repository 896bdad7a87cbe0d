package rounds

import (
	"slices"
	"sync"
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

// Tables are the matches of the round that is played, and the teams that wait for the next one.
type Tables struct {
	mu    sync.Mutex
	list  []*Table
	since map[int]time.Time // since when teams wait
}

// add adds match i of a round, and returns a function that removes it.
func (ts *Tables) add(round *state.Round, i int, f *feed.Feed) (remove func()) {
	t := &Table{Number: i + 1, Teams: round.Matches[i], Feed: f}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.list = append(ts.list, t)
	return func() {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		ts.list = slices.DeleteFunc(ts.list, func(other *Table) bool { return other == t })
	}
}

// Playing returns the matches that are being played.
func (ts *Tables) Playing() (playing []Table) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.list {
		playing = append(playing, *t)
	}
	return playing
}

// Of returns the match that a team plays, or nil.
func (ts *Tables) Of(team int) *Table {
	for _, t := range ts.Playing() {
		if slices.Contains(t.Teams, team) {
			return &t
		}
	}
	return nil
}

// noteReady notes which teams are ready, and so since when each waits.
func (ts *Tables) noteReady(ready []int) {
	now := time.Now()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for team := range ts.since {
		if !slices.Contains(ready, team) {
			delete(ts.since, team)
		}
	}
	if ts.since == nil {
		ts.since = map[int]time.Time{}
	}
	for _, team := range ready {
		if ts.since[team].IsZero() {
			ts.since[team] = now
		}
	}
}

// Waited returns how long a team has waited, 0 if it is not ready.
func (ts *Tables) Waited(team int) time.Duration {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if at, waits := ts.since[team]; waits {
		return time.Since(at)
	}
	return 0
}
