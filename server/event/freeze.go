package event

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/session"
)

// deadlineIn returns the time until the deadline, 0 if it is over; set says whether there is one.
func (e *Event) deadlineIn() (left time.Duration, set bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	deadline := e.state.Deadline()
	if deadline == 0 {
		return 0, false
	}
	return max(0, time.Until(time.Unix(deadline, 0))), true
}

// late returns an error if it is too late to send a version.
func (e *Event) late() error {
	now := time.Now().Unix()
	return ask(e, func(s *state.State) error { return s.Late(now) })
}

// freeze freezes the versions that play now. No match of a round may be running.
func (e *Event) freeze(line lineUp) error {
	versions := map[int]string{}
	for team, p := range line {
		versions[team] = p.version
	}
	return e.Do(func(s *state.State) (state.Act, error) { return s.Freeze(versions) })
}

// Announce sets the deadline; with 0 there is none.
func (e *Event) Announce(in time.Duration) error {
	when := time.Now().Add(in).Unix()
	return e.Do(func(s *state.State) (state.Act, error) { return s.SetDeadline(when, in) })
}

// admitFrozen returns a function that returns the reason why a client may not play for one of the
// teams of a match: from the freeze on, each plays with the version that was frozen. It returns nil
// before the freeze.
func (e *Event) admitFrozen(teams []int) func(*match.Candidate) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.state.Frozen() {
		return nil
	}
	keys := map[string]int{} // of bots that connect
	versions := map[int]string{}
	for _, team := range teams {
		if v := e.state.FrozenClaim(team); v != "" {
			keys[keyOf(team)], versions[team] = team, v
		}
	}
	return func(c *match.Candidate) error {
		team, known := keys[c.Key]
		if !known {
			return nil
		}
		said := state.Claimed(c.Version)
		e.checks.note(team, func(p *Progress) { p.Changed, p.Said = said != versions[team], said })
		if said != versions[team] {
			return session.ErrVersion
		}
		return nil
	}
}

// changedVersion is a bot that does not play since it is not the version that was frozen.
type changedVersion struct {
	Connected bool   // it waits; else it was disconnected
	Said      string // what it says it is; "": nothing
	Frozen    string
}

// changedOf returns the bot of a team that does not play since it is not the version that was
// frozen, or nil. waiting has the versions of bots that wait, by their keys.
func (e *Event) changedOf(team int, waiting map[string]string) *changedVersion {
	frozen := ask(e, func(s *state.State) string { return s.FrozenClaim(team) })
	if frozen == "" {
		return nil
	}
	version, connected := waiting[keyOf(team)]
	if connected && state.Claimed(version) != frozen {
		return &changedVersion{Connected: true, Said: state.Claimed(version), Frozen: frozen}
	}
	if p, _ := e.checks.Of(team, ""); !connected && p.Changed {
		return &changedVersion{Said: p.Said, Frozen: frozen}
	}
	return nil
}

// hint tells the team what to do.
func (c *changedVersion) hint() string {
	said := "says no version"
	if c.Said != "" {
		said = "says that it is version " + c.Said
	}
	return fmt.Sprintf("Your bot %s, but versions are frozen, and your team plays official matches with version %s. "+
		"Connect that one again; the operator can take the freeze back.", said, c.Frozen)
}

// freezeDue freezes versions if the deadline is over and all that were sent before it have been
// tried. It returns a channel that fires when the deadline is over, or nil without a deadline.
func (r *Rounds) freezeDue() (due <-chan time.Time, err error) {
	left, set := r.event.deadlineIn()
	if !set {
		return nil, nil
	}
	if left > 0 {
		return time.After(left), nil
	}
	if _, v := r.event.untried(nil); v != nil && r.opts.Store != nil {
		return nil, nil // it is about to be tried, which is told
	}
	line, _ := r.lineUp()
	return nil, r.event.freeze(line)
}

// Freeze freezes versions as soon as no round is played.
func (r *Rounds) Freeze() error { return r.event.Announce(time.Nanosecond) }
