package rounds

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/session"
)

// admitFrozen returns a function that returns the reason why a client may not play for one of the
// teams of a match: from the freeze on, each plays with the version that was frozen. It returns nil
// if any bot may play.
func (r *Rounds) admitFrozen(teams []int) func(*match.Candidate) error {
	keys := map[string]int{} // of bots that connect
	versions := map[int]string{}
	r.event.Read(func(s *state.State) {
		for _, team := range teams {
			if v := s.Versions.FrozenClaim(team); v != "" {
				keys[event.Key(team)], versions[team] = team, v
			}
		}
	})
	if len(keys) == 0 {
		return nil
	}
	return func(c *match.Candidate) error {
		team, known := keys[c.Key]
		if !known {
			return nil
		}
		said := state.Claimed(c.Version)
		r.Checks.note(team, func(p *Progress) { p.Changed, p.Said = said != versions[team], said })
		if said != versions[team] {
			return session.ErrVersion
		}
		return nil
	}
}

// ChangedVersion is a bot that does not play since it is not the version that was frozen.
type ChangedVersion struct {
	Connected bool   // it waits; else it was disconnected
	Said      string // what it says it is; "": nothing
	Frozen    string
}

// Changed returns the bot of a team that does not play since it is not the version that was frozen,
// or nil.
func (r *Rounds) Changed(team int) *ChangedVersion {
	frozen := event.Ask(r.event, func(s *state.State) string { return s.Versions.FrozenClaim(team) })
	if frozen == "" {
		return nil
	}
	version, connected := r.arena.waiting()[event.Key(team)]
	if connected && state.Claimed(version) != frozen {
		return &ChangedVersion{Connected: true, Said: state.Claimed(version), Frozen: frozen}
	}
	if p, _ := r.Checks.Of(team, ""); !connected && p.Changed {
		return &ChangedVersion{Said: p.Said, Frozen: frozen}
	}
	return nil
}

// Hint tells the team what to do.
func (c *ChangedVersion) Hint() string {
	said := "says no version"
	if c.Said != "" {
		said = "says that it is version " + c.Said
	}
	return fmt.Sprintf("Your bot %s, but versions are frozen, and your team plays official "+
		"matches with version %s. Connect that one again; the operator can take the freeze "+
		"back.", said, c.Frozen)
}

// freeze freezes the versions that play now. No match of a round may be running.
func (r *Rounds) freeze(line LineUp) error {
	versions := map[int]string{}
	for team, p := range line {
		versions[team] = p.Version
	}
	return r.event.Do(func(s *state.State) (state.Act, error) { return s.Freeze(versions) })
}

// freezeDue freezes versions if the deadline is over and all that were sent before it have been
// tried. It returns a channel that fires when the deadline is over, or nil without a deadline.
func (r *Rounds) freezeDue() (due <-chan time.Time, err error) {
	left, set := r.event.Deadline()
	if !set {
		return nil, nil
	}
	if left > 0 {
		return time.After(left), nil
	}
	if _, v := r.untried(nil); v != nil && r.opts.Store != nil {
		return nil, nil // it is about to be tried, which is told
	}
	line, _ := r.LineUp()
	return nil, r.freeze(line)
}

// Freeze freezes versions as soon as no round is played.
func (r *Rounds) Freeze() error { return r.event.SetDeadline(time.Nanosecond) }
