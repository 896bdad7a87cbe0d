package event

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/session"
)

// freeze is the state of versions after the deadline: official matches are played by these alone.
type freeze struct {
	first    int            // matches before it
	versions map[int]string // by team, as rows call them; "": a bot that did not say; missing: no bot was there
}

// maxGrace bounds how long before the deadline it is announced: a slip of the operator is noticed.
const maxGrace = 7 * 24 * time.Hour

// applyFreeze applies an act about the deadline.
func (s *state) applyFreeze(a *Act) {
	switch {
	case a.Kind == deadline:
		s.deadline = a.When
	case a.On:
		s.frozen, s.deadline = &freeze{first: a.First, versions: a.Frozen}, 0
	default:
		s.frozen = nil
	}
}

// Announce announces that versions freeze after a time; 0: they do not by time.
func (e *Event) Announce(in time.Duration) error {
	return e.act(func() (*Act, error) {
		switch {
		case e.state.frozen != nil:
			return nil, errors.New("versions are frozen already: thaw them first")
		case in < 0 || in > maxGrace:
			return nil, fmt.Errorf("the deadline has to be within %v from now", maxGrace)
		case in == 0:
			return &Act{Kind: deadline}, nil
		}
		return &Act{Kind: deadline, When: time.Now().Add(in).Unix()}, nil
	})
}

// deadlineIn returns the time until the deadline, 0 if it is over; set says whether there is one.
func (e *Event) deadlineIn() (left time.Duration, set bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state.deadline == 0 {
		return 0, false
	}
	return max(0, time.Until(time.Unix(e.state.deadline, 0))), true
}

// freeze freezes the versions that play now. No match of a round may be running.
func (e *Event) freeze(line lineUp) error {
	return e.act(func() (*Act, error) {
		versions := map[int]string{}
		for team, p := range line {
			versions[team] = p.version
		}
		return &Act{Kind: frozen, On: true, First: len(e.state.rows), Frozen: versions}, nil
	})
}

// Thaw takes a freeze back.
func (e *Event) Thaw() error {
	return e.act(func() (*Act, error) {
		if e.state.frozen == nil {
			return nil, errors.New("versions are not frozen")
		}
		return &Act{Kind: frozen, First: len(e.state.rows)}, nil
	})
}

// errFrozen is why a version cannot be sent.
var errFrozen = errors.New("versions are frozen, as the deadline is over")

// late returns why it is too late to send a version, nil if it is not. The caller holds mu.
func (e *Event) late() error {
	if e.state.frozen != nil || e.state.deadline != 0 && time.Now().Unix() >= e.state.deadline {
		return errFrozen
	}
	return nil
}

// frozenNow returns why it is too late to send a version, nil if it is not.
func (e *Event) frozenNow() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.late()
}

// frozenPlayer returns the version that was frozen for a team, which plays its official matches. The caller holds mu.
func (e *Event) frozenPlayer(team int, version string, connected bool) (p player, found bool) {
	want := e.state.frozen.versions[team]
	digest, isSent := strings.CutPrefix(want, sentPrefix)
	if !isSent {
		return player{version: version}, connected && (want == "" || version == want)
	}
	v := e.state.find(team, digest)
	if !e.canStart(v) {
		return p, false
	}
	copied := *v
	return player{sent: &copied, version: want}, true
}

// admitFrozen returns what says why a client may not play for one of the teams of a match: from the freeze on, each plays with the version
// that was frozen. It returns nil before the freeze.
func (e *Event) admitFrozen(teams []int) func(*match.Candidate) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state.frozen == nil {
		return nil
	}
	keys := map[string]int{} // of bots that connect
	versions := map[int]string{}
	for _, team := range teams {
		if v := e.state.frozenDigest(team); v != "" {
			keys[keyOf(team)], versions[team] = team, v
		}
	}
	return func(c *match.Candidate) error {
		team, known := keys[c.Key]
		if !known {
			return nil
		}
		said := claimed(c.Version)
		e.checks.note(team, func(p *Progress) { p.Changed, p.Said = said != versions[team], said })
		if said != versions[team] {
			return session.ErrVersion
		}
		return nil
	}
}

// frozenDigest returns what a bot of a team has to say that it is, so that it plays official matches; "": anything. The caller holds the
// event's mu.
func (s *state) frozenDigest(team int) string {
	if s.frozen == nil || strings.HasPrefix(s.frozen.versions[team], sentPrefix) {
		return ""
	}
	return s.frozen.versions[team]
}

// changedVersion says which bot of a team does not play because it is not the version that was frozen.
type changedVersion struct {
	Connected bool   // it waits; else it was disconnected
	Said      string // what it says it is; "": nothing
	Frozen    string
}

// changedOf returns the bot of a team that does not play because it is not the version that was frozen, or nil. waiting has the versions of
// bots that wait, by their keys.
func (e *Event) changedOf(team int, waiting map[string]string) *changedVersion {
	e.mu.Lock()
	frozen := e.state.frozenDigest(team)
	e.mu.Unlock()
	if frozen == "" {
		return nil
	}
	version, connected := waiting[keyOf(team)]
	if connected && claimed(version) != frozen {
		return &changedVersion{Connected: true, Said: claimed(version), Frozen: frozen}
	}
	if p, _ := e.checks.Of(team, ""); !connected && p.Changed {
		return &changedVersion{Said: p.Said, Frozen: frozen}
	}
	return nil
}

// hint says to the team what to do.
func (c *changedVersion) hint() string {
	said := "says no version"
	if c.Said != "" {
		said = "says that it is version " + c.Said
	}
	return fmt.Sprintf("Your bot %s, but versions are frozen, and your team plays official matches with version %s. "+
		"Connect that one again; the operator can take the freeze back.", said, c.Frozen)
}

// freezeDue freezes versions if the deadline is over and all that were sent before it have been tried. It returns a channel
// that fires when the deadline is over, or nil without a deadline.
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

// Freeze has versions freeze as soon as no round is played.
func (r *Rounds) Freeze() error { return r.event.Announce(time.Nanosecond) }
