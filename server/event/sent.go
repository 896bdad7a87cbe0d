package event

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/event/versions"
)

const (
	// maxSends bounds how often a team sends a version: once a minute on a day of eight hours.
	maxSends = 500
	// maxTeamBytes bounds what all versions of a team take on the disk: a day's work in Python takes 1 MB, and 40
	// teams that take all fill 5 GB.
	maxTeamBytes = 128 << 20
	// maxFailures is after how many matches in a row that a version did not hold out it plays no more: a break of the
	// network ends one match, a mistake in the bot each.
	maxFailures = 3
	// sentPrefix tells versions that were sent from those that bots say that they are.
	sentPrefix = "sent:"
)

// Sent is a version that a team sent.
type Sent struct {
	versions.Version
	At     int64  // when, in seconds of Unix time
	Tried  bool   // in a test match
	Good   bool   // it logged in there and answered a turn
	Reason string // why it is not good
	Failed string // how it failed when it began to rest
}

// name returns the name of the version in rows.
func (v *Sent) name() string { return sentPrefix + v.Digest }

// applySent applies an act about a version.
func (s *state) applySent(a *Act) error {
	if a.Kind == tried || a.Kind == benched {
		v := s.find(a.Team, a.Version)
		switch {
		case v == nil:
			return fmt.Errorf("team %d has not sent the version %s", a.Team, a.Version)
		case a.Kind == benched:
			v.Failed = a.Reason
		default:
			v.Tried, v.Good, v.Reason = true, a.On, a.Reason
		}
		return nil
	}
	if a.Sent == nil {
		return errors.New("nothing is sent")
	}
	v := s.find(a.Team, a.Sent.Digest)
	if v == nil {
		v = &Sent{Version: *a.Sent}
	}
	v.At = a.At
	if !v.Good {
		v.Tried = false // a program that it lacked here may be installed now
	}
	delete(s.failures[a.Team], v.name())
	s.sends[a.Team]++
	s.sent[a.Team] = append(slices.DeleteFunc(s.sent[a.Team], func(other *Sent) bool { return other == v }), v)
	return nil
}

// find returns a version of a team, or nil.
func (s *state) find(team int, digest string) *Sent {
	i := slices.IndexFunc(s.sent[team], func(v *Sent) bool { return v.Digest == digest })
	if i < 0 {
		return nil
	}
	return s.sent[team][i]
}

// countFailures counts the versions that did not hold out a match.
func (s *state) countFailures(row *results.Row) {
	for seat, version := range row.Versions {
		t := s.nicks[row.Bots[seat]]
		if t == nil || version == "" {
			continue
		}
		if row.Forfeits[seat] == "" {
			delete(s.failures[t.Number], version)
			continue
		}
		if s.failures[t.Number] == nil {
			s.failures[t.Number] = map[string]int{}
		}
		s.failures[t.Number][version]++
	}
}

// rests reports whether a version of a team plays no more. One without a name plays on: it may be another one each time.
func (s *state) rests(team int, version string) bool {
	return version != "" && s.failures[team][version] >= maxFailures
}

// plays returns the version that plays for a team that is not connected: of those that it sent the last that is good. It
// returns nil if there is none.
func (s *state) plays(team int) *Sent {
	for _, v := range slices.Backward(s.sent[team]) {
		if v.Good && !s.rests(team, v.name()) {
			return v
		}
	}
	return nil
}

// setStarts says which versions that were sent can be started here.
func (e *Event) setStarts(starts func(*Sent) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.starts = starts
}

// canStart reports whether a version can be started here. The caller holds mu.
func (e *Event) canStart(v *Sent) bool { return v != nil && e.starts != nil && e.starts(v) }

// maySend returns why a team cannot send a version now, nil if it can.
func (e *Event) maySend(team int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(e.late(), e.state.maySend(team))
}

func (s *state) maySend(team int) error {
	if s.sends[team] >= maxSends {
		return fmt.Errorf("the team has sent %d versions, which is the most", maxSends)
	}
	if i := slices.IndexFunc(s.sent[team], func(v *Sent) bool { return !v.Tried }); i >= 0 {
		return fmt.Errorf("version %s is still being tried: wait a moment, then send the next one", s.sent[team][i].Digest)
	}
	return nil
}

// errPlays says that a version plays for its team already.
var errPlays = errors.New("the version plays already")

// addSent adds a version that a team sent, unless it is the one that plays for the team already.
func (e *Event) addSent(team int, v versions.Version) error {
	err := e.act(func() (*Act, error) {
		if playing := e.state.plays(team); playing != nil && playing.Digest == v.Digest && playing == e.state.chosen(team) {
			return nil, errPlays
		}
		return &Act{Kind: sent, Team: team, Sent: &v}, errors.Join(e.late(), e.state.maySend(team), e.state.mayKeep(team, v))
	})
	if err == errPlays {
		return nil
	}
	return err
}

// chosen returns the version that a team sent last, nil if it has sent none.
func (s *state) chosen(team int) *Sent {
	if n := len(s.sent[team]); n > 0 {
		return s.sent[team][n-1]
	}
	return nil
}

// mayKeep returns why a version does not fit beside the others of a team, nil if it does.
func (s *state) mayKeep(team int, v versions.Version) error {
	total := v.Bytes
	for _, other := range s.sent[team] {
		if other.Digest != v.Digest {
			total += other.Bytes
		}
	}
	if total > maxTeamBytes {
		return fmt.Errorf("the team's versions have %d MiB, and may have %d: send smaller ones, or connect the bot by hexarena join", total>>20, maxTeamBytes>>20)
	}
	return nil
}

// addTried notes the result of a version's test match: reason is why the version plays no rounds, "" if it does.
func (e *Event) addTried(team int, digest, reason string) error {
	return e.act(func() (*Act, error) {
		return &Act{Kind: tried, Team: team, Version: digest, On: reason == "", Reason: reason}, nil
	})
}
