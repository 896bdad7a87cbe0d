package state

import (
	"errors"
	"strings"
)

// freeze is the versions after the deadline: official matches are played by these alone.
type freeze struct {
	first    int            // matches before it
	versions map[int]string // by team, as in rows; "": a bot without one; missing: no bot was there
}

// maxNotice bounds the time from now to the deadline, in seconds, so that a slip of the operator is
// noticed.
const maxNotice = 7 * 24 * 60 * 60

// ErrFrozen is the reason why a version cannot be sent after the deadline.
var ErrFrozen = errors.New("versions are frozen, as the deadline is over")

// DeadlineSet sets the deadline, or removes it.
type DeadlineSet struct {
	Head
	When int64 `json:"when,omitempty"` // Unix time in seconds; 0: there is none
}

func (*DeadlineSet) kind() string { return "deadline" }

func (a *DeadlineSet) apply(s *State) error {
	s.Versions.deadline = a.When
	return nil
}

// SetDeadline sets the deadline. Both times are Unix times in seconds.
func (vs *Versions) SetDeadline(when, now int64) (Act, error) {
	if when < now || when > now+maxNotice {
		return nil, errors.New("the deadline has to be within 168 hours from now")
	}
	return &DeadlineSet{When: when}, vs.mustNotBeFrozen()
}

// RemoveDeadline removes the deadline.
func (vs *Versions) RemoveDeadline() (Act, error) { return &DeadlineSet{}, vs.mustNotBeFrozen() }

func (vs *Versions) mustNotBeFrozen() error {
	if vs.frozen != nil {
		return errors.New("versions are frozen already: thaw them first")
	}
	return nil
}

// Deadline returns the Unix time in seconds at which versions freeze, 0 if there is no deadline.
func (vs *Versions) Deadline() int64 { return vs.deadline }

// VersionsFrozen freezes the versions of all teams, or thaws them.
type VersionsFrozen struct {
	Head
	On     bool           `json:"on,omitempty"`
	First  int            `json:"first,omitempty"`  // matches before it
	Frozen map[int]string `json:"frozen,omitempty"` // by team, as in rows
}

func (*VersionsFrozen) kind() string { return "frozen" }

func (a *VersionsFrozen) apply(s *State) error {
	if !a.On {
		s.Versions.frozen = nil
		return nil
	}
	s.Versions.frozen, s.Versions.deadline = &freeze{first: a.First, versions: a.Frozen}, 0
	return nil
}

// Freeze freezes versions, by team. No match of a round may be running.
func (s *State) Freeze(versions map[int]string) (Act, error) {
	return &VersionsFrozen{On: true, First: len(s.Results.rows), Frozen: versions}, nil
}

// Thaw undoes a freeze.
func (s *State) Thaw() (Act, error) {
	if s.Versions.frozen == nil {
		return nil, errors.New("versions are not frozen")
	}
	return &VersionsFrozen{First: len(s.Results.rows)}, nil
}

// Frozen reports whether versions are frozen.
func (vs *Versions) Frozen() bool { return vs.frozen != nil }

// FrozenVersion returns the version that was frozen for a team, as in rows: "" for a bot without
// one, and for a team without a bot.
func (vs *Versions) FrozenVersion(team int) string {
	if vs.frozen == nil {
		return ""
	}
	return vs.frozen.versions[team]
}

// FrozenClaim returns the version that a connected bot of a team has to claim in official matches;
// "" if it may claim any.
func (vs *Versions) FrozenClaim(team int) string {
	version := vs.FrozenVersion(team)
	if strings.HasPrefix(version, UploadPrefix) {
		return ""
	}
	return version
}

// Late returns an error if it is too late to send a version at a Unix time in seconds.
func (vs *Versions) Late(now int64) error {
	if vs.frozen != nil || vs.deadline != 0 && now >= vs.deadline {
		return ErrFrozen
	}
	return nil
}
