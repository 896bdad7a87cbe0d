package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/results"
)

const (
	// maxUploads bounds how often a team sends a version: once a minute on a day of eight hours.
	maxUploads = 500
	// maxTeamBytes bounds the bytes of all versions of a team on the disk: a day's work in Python
	// takes 1 MB, and 40 teams that take all fill 5 GB.
	maxTeamBytes = 128 << 20
	// MaxFailures is the number of consecutive forfeits after which a version is benched: a break
	// of the network ends one match, a mistake in the bot each.
	MaxFailures = 3
	// UploadPrefix marks uploaded versions in rows; versions that bots claim have no prefix.
	UploadPrefix = "sent:"
	// maxClaimed bounds the version that a connected bot claims, in bytes, as rows have it: a
	// digest of 64 digits fits.
	maxClaimed = 64
)

// Upload identifies the files of a version that a team sent.
type Upload struct {
	Digest string `json:"digest"`          // of its files, 16 hexadecimal digits
	File   string `json:"file"`            // the one that is started
	Stdio  bool   `json:"stdio,omitempty"` // it speaks on its standard input and output
	Bytes  int64  `json:"bytes"`           // of all its files
}

// Version is a version that a team sent.
type Version struct {
	Upload
	At     int64  // Unix time in seconds
	Tried  bool   // in a test match
	Good   bool   // it logged in there and answered a turn
	Reason string // why it is not good
	Failed string // how it failed when it was benched
}

// Name returns the name of the version in rows.
func (v *Version) Name() string { return UploadPrefix + v.Digest }

// Claimed returns the version that a connected bot claims, as rows have it. It is valid UTF-8, so
// that a log gives the same version again.
func Claimed(version string) string {
	version = strings.ToValidUTF8(version[:min(len(version), maxClaimed)], "")
	if strings.HasPrefix(version, UploadPrefix) || strings.HasPrefix(version, erasedPrefix) {
		return ""
	}
	return version
}

// Versions are the versions of all teams, and when they freeze.
type Versions struct {
	deadline int64   // Unix time in seconds; 0: there is none
	frozen   *freeze // nil: versions are not frozen

	sent     map[int][]*Version     // by team: the one that it chose last at the end
	uploads  map[int]int            // by team: how often it sent something
	failures map[int]map[string]int // by team and version: consecutive forfeits
}

func newVersions() Versions {
	return Versions{
		sent: map[int][]*Version{}, uploads: map[int]int{}, failures: map[int]map[string]int{},
	}
}

// VersionSent adds a version of a team, or makes it the newest again.
type VersionSent struct {
	Head
	Team int     `json:"team,omitempty"`
	Sent *Upload `json:"sent,omitempty"`
}

func (*VersionSent) kind() string { return "sent" }

func (a *VersionSent) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	if a.Sent == nil {
		return errors.New("nothing is sent")
	}
	v := s.Versions.find(a.Team, a.Sent.Digest)
	if v == nil {
		v = &Version{Upload: *a.Sent}
	}
	v.At = a.At
	if !v.Good {
		v.Tried = false // a program that it lacked here may be installed now
	}
	delete(s.Versions.failures[a.Team], v.Name())
	s.Versions.uploads[a.Team]++
	others := slices.DeleteFunc(s.Versions.sent[a.Team], func(o *Version) bool { return o == v })
	s.Versions.sent[a.Team] = append(others, v)
	return nil
}

// ErrPlays reports that a version plays for its team already.
var ErrPlays = errors.New("the version plays already")

// Send adds a version of a team at a Unix time in seconds. It returns ErrPlays if the version is
// the one that plays for the team.
func (vs *Versions) Send(team int, u Upload, now int64) (Act, error) {
	if v := vs.Plays(team); v != nil && v.Digest == u.Digest && v.Digest == vs.newest(team).Digest {
		return nil, ErrPlays
	}
	return &VersionSent{Team: team, Sent: &u}, errors.Join(vs.MaySend(team, now), vs.mayKeep(team, u))
}

// Activate makes a version that a team has sent play for it, at a Unix time in seconds: it is sent
// again. One that was not good is tried again.
func (vs *Versions) Activate(team int, digest string, now int64) (Act, error) {
	v := vs.find(team, digest)
	if v == nil {
		return nil, fmt.Errorf("the team has not sent the version %.40q", digest)
	}
	return vs.Send(team, v.Upload, now)
}

// MaySend returns the reason why a team cannot send a version at a Unix time in seconds, nil if it
// can.
func (vs *Versions) MaySend(team int, now int64) error {
	return errors.Join(vs.Late(now), vs.mayUpload(team))
}

func (vs *Versions) mayUpload(team int) error {
	if vs.uploads[team] >= maxUploads {
		return fmt.Errorf("the team has sent %d versions, which is the most", maxUploads)
	}
	sent := vs.sent[team]
	if i := slices.IndexFunc(sent, func(v *Version) bool { return !v.Tried }); i >= 0 {
		return fmt.Errorf("version %s is still being tried: wait a moment, then send the next one",
			sent[i].Digest)
	}
	return nil
}

// mayKeep returns the reason why a version does not fit beside the others of a team, nil if it
// does.
func (vs *Versions) mayKeep(team int, u Upload) error {
	total := u.Bytes
	for _, other := range vs.sent[team] {
		if other.Digest != u.Digest {
			total += other.Bytes
		}
	}
	if total > maxTeamBytes {
		return fmt.Errorf("the team's versions have %d MiB, and may have %d: send smaller ones, or "+
			"connect the bot by hexarena join", total>>20, maxTeamBytes>>20)
	}
	return nil
}

// VersionTried records the result of a version's test match.
type VersionTried struct {
	Head
	Team    int    `json:"team,omitempty"`
	Good    bool   `json:"on,omitempty"` // the version plays rounds
	Version string `json:"version,omitempty"`
	Reason  string `json:"reason,omitempty"` // why it does not
}

func (*VersionTried) kind() string { return "tried" }

func (a *VersionTried) apply(s *State) error {
	v, err := s.mustFind(a.Team, a.Version)
	if err != nil {
		return err
	}
	v.Tried, v.Good, v.Reason = true, a.Good, a.Reason
	return nil
}

// Try records the result of a version's test match: the reason why the version plays no rounds, ""
// if it does.
func (vs *Versions) Try(team int, digest, reason string) (Act, error) {
	return &VersionTried{Team: team, Version: digest, Good: reason == "", Reason: reason}, nil
}

// VersionBenched records how a version failed that plays no more, since it failed too often.
type VersionBenched struct {
	Head
	Team    int    `json:"team,omitempty"`
	Version string `json:"version,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

func (*VersionBenched) kind() string { return "failed" }

func (a *VersionBenched) apply(s *State) error {
	v, err := s.mustFind(a.Team, a.Version)
	if err != nil {
		return err
	}
	v.Failed = a.Reason
	return nil
}

// mustFind returns a version of a team, or an error.
func (s *State) mustFind(team int, digest string) (*Version, error) {
	if err := s.Teams.check(team); err != nil {
		return nil, err
	}
	v := s.Versions.find(team, digest)
	if v == nil {
		return nil, fmt.Errorf("team %d has not sent the version %s", team, digest)
	}
	return v, nil
}

// find returns a version of a team, or nil.
func (vs *Versions) find(team int, digest string) *Version {
	sent := vs.sent[team]
	if i := slices.IndexFunc(sent, func(v *Version) bool { return v.Digest == digest }); i >= 0 {
		return sent[i]
	}
	return nil
}

// Sent returns the versions of a team, the one that it chose last at the end.
func (vs *Versions) Sent(team int) (list []Upload) {
	for _, v := range vs.sent[team] {
		list = append(list, v.Upload)
	}
	return list
}

// Has reports whether a team has sent the version with a digest.
func (vs *Versions) Has(digest string) bool {
	for team := range vs.sent {
		if vs.find(team, digest) != nil {
			return true
		}
	}
	return false
}

// Find returns a copy of a version of a team, or nil.
func (vs *Versions) Find(team int, digest string) *Version { return vs.find(team, digest).copy() }

func (v *Version) copy() *Version {
	if v == nil {
		return nil
	}
	copied := *v
	return &copied
}

// newest returns the version that a team sent last, nil if it has sent none.
func (vs *Versions) newest(team int) *Version {
	if sent := vs.sent[team]; len(sent) > 0 {
		return sent[len(sent)-1]
	}
	return nil
}

// countFailures counts the consecutive forfeits of versions.
func (s *State) countFailures(row *results.Row) {
	failures := s.Versions.failures
	for seat, version := range row.Versions {
		t := s.Teams.byNick[row.Bots[seat]]
		if t == nil || version == "" {
			continue
		}
		if row.Forfeits[seat] == "" {
			delete(failures[t.Number], version)
			continue
		}
		if failures[t.Number] == nil {
			failures[t.Number] = map[string]int{}
		}
		failures[t.Number][version]++
	}
}

// Benched reports whether a version of a team plays no more. A version without a name is never
// benched: it may be another one each time.
func (vs *Versions) Benched(team int, version string) bool {
	return version != "" && vs.failures[team][version] >= MaxFailures
}

// Exhausted reports whether a team has no version that plays, since one was benched.
func (vs *Versions) Exhausted(team int) bool {
	for version := range vs.failures[team] {
		if vs.Benched(team, version) {
			return vs.plays(team) == nil
		}
	}
	return false
}

// Plays returns a copy of the version that plays for a team that is not connected: of those that it
// sent the last good one that is not benched. It returns nil if no version plays.
func (vs *Versions) Plays(team int) *Version { return vs.plays(team).copy() }

func (vs *Versions) plays(team int) *Version {
	for _, v := range slices.Backward(vs.sent[team]) {
		if v.Good && !vs.Benched(team, v.Name()) {
			return v
		}
	}
	return nil
}

const (
	// trialDelay is the number of seconds by which a version counts as sent for each bad version
	// before it: as many as two test matches at once take for 40 versions that sleep. So teams that
	// send such versions wait behind others, and those whose bot is not yet right do not wait for
	// ever.
	trialDelay = 200
	// maxTrialDelays bounds the bad versions that count.
	maxTrialDelays = 5
)

// Trial is a version that waits for its test match.
type Trial struct {
	Team    int
	Version *Version // a copy
	due     int64    // Unix time in seconds, by which trials are ordered
}

// Trials returns the versions that have not been tried, in the order in which they are to be. A
// team has one at a time, so that teams take turns.
func (s *State) Trials() (queue []Trial) {
	for number, t := range s.Teams.list {
		if t.Removed {
			continue
		}
		for _, v := range s.Versions.sent[number] {
			if !v.Tried {
				delay := int64(min(s.Versions.badInRow(number), maxTrialDelays)) * trialDelay
				queue = append(queue, Trial{number, v.copy(), v.At + delay})
			}
		}
	}
	slices.SortStableFunc(queue, func(a, b Trial) int { return cmp.Compare(a.due, b.due) })
	return queue
}

// badInRow returns how many of the versions that a team sent last were bad.
func (vs *Versions) badInRow(team int) (n int) {
	for _, v := range slices.Backward(vs.sent[team]) {
		switch {
		case v.Good:
			return n
		case v.Tried:
			n++
		}
	}
	return n
}

// trialPlace returns the place of a team's version in the queue of test matches, from 1; 0 if none
// waits.
func (s *State) trialPlace(team int) int {
	return 1 + slices.IndexFunc(s.Trials(), func(t Trial) bool { return t.Team == team })
}
