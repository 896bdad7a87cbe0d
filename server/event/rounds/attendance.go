package rounds

import (
	"bytes"
	"sync"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
)

// attendance is which connections hang, over matches: one that stays is not awaited until it
// answers again.
type attendance struct {
	mu   sync.Mutex
	bots map[string]staying // by the keys of their teams
}

// staying is the state of a team's last connection.
type staying struct {
	remote   string
	hung     bool // it missed turns until the end of its last match
	failures int  // matches in a row in which it hung
}

// of returns the state of a connection.
func (a *attendance) of(key, remote string) staying {
	a.mu.Lock()
	defer a.mu.Unlock()
	if one := a.bots[key]; one.remote == remote {
		return one
	}
	return staying{remote: remote}
}

// rests reports whether a connection plays no more, since its bot hung too often. Another one of
// its team plays.
func (a *attendance) rests(key, remote string) bool {
	return a.of(key, remote).failures >= state.MaxFailures
}

// hangs reports whether the last connection of a team hung when its last match was over.
func (a *attendance) hangs(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bots[key].hung
}

// note notes whether a connection hung in a match.
func (a *attendance) note(key, remote string, hung bool) {
	one := a.of(key, remote)
	one.hung = hung
	if one.failures++; !hung {
		one.failures = 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bots == nil {
		a.bots = map[string]staying{}
	}
	a.bots[key] = one
}

// noActions is the list of actions of an answer that has none.
var noActions = []byte("[]")

// hangTracker stops a match from waiting for bots that no longer answer. It implements
// match.Watcher.
type hangTracker struct {
	match.BaseWatcher
	of   *attendance
	pace *match.Waiting
}

// Started implements match.Watcher.
func (w *hangTracker) Started(f *match.Frame) {
	for i := range f.Table.Seats {
		if s := &f.Table.Seats[i]; s.Key != "" && w.of.of(s.Key, s.Remote).hung {
			w.pace.Suspend(s.ID)
		}
	}
}

// Played implements match.Watcher. An answer counts even if its turn is over, unless it has no
// actions: so ends each turn of a script that is interrupted.
func (w *hangTracker) Played(p *match.Play) {
	asked := match.AnsweredIn(p.Step)
	for i := range p.Answers {
		a := &p.Answers[i]
		if a.Turn != asked && bytes.Equal(a.Actions, noActions) {
			continue
		}
		if a.Valid && w.pace.Hung(a.Player) {
			w.pace.Resume(a.Player)
		}
	}
}

// Ended implements match.Watcher.
func (w *hangTracker) Ended(e *match.Ending) {
	for i := range e.Seats {
		if s := &e.Seats[i]; e.Err == nil && s.Key != "" && s.ID != engine.NoPlayer {
			w.of.note(s.Key, s.Remote, w.pace.Hung(s.ID))
		}
	}
}
