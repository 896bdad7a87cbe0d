package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The states of versions, as teams are told.
const (
	versionUntried = "untried" // its test match is not over
	versionBad     = "bad"     // it failed that match, and plays no rounds
	versionGood    = "good"    // it can play, and another one does
	versionBenched = "rests"   // it failed MaxFailures matches in a row
	versionPlays   = "plays"   // it plays the next round if no bot of the team is connected
	versionJoined  = "joined"  // it played over a connection
)

// VersionResult is the sum of the results of a version of a team in rounds.
type VersionResult struct {
	Version  string  `json:"version"`          // its name in rows; "": the bot did not claim one
	File     string  `json:"file,omitempty"`   // that was sent and is started
	Sent     int64   `json:"sent,omitempty"`   // when, in seconds of Unix time
	State    string  `json:"state"`            // one of the states above
	Reason   string  `json:"reason,omitempty"` // why it does not play
	Queue    int     `json:"queue,omitempty"`  // place in the queue of test matches, from 1; 0: tried
	Matches  int     `json:"matches"`          // that count
	Wins     int     `json:"wins"`             // with no team or built-in bot before it
	Beaten   float64 `json:"beaten"`           // share of the opponents, ties half; 0 without matches
	Forfeits int     `json:"forfeits"`         // matches that it did not hold out
	Last     int     `json:"last,omitempty"`   // number of its last match, from 1
}

// VersionResults returns a team's versions with their results, the newest first.
func (s *State) VersionResults(team int) []VersionResult {
	var list []*VersionResult
	known := map[string]*VersionResult{}
	playing := s.Versions.plays(team)
	// of two that were sent within a second the last one comes first
	for _, v := range slices.Backward(s.Versions.sent[team]) {
		one := &VersionResult{
			Version: v.Name(), File: v.File, Sent: v.At, State: versionGood, Reason: v.Reason,
		}
		switch {
		case !v.Tried:
			one.State, one.Queue = versionUntried, s.trialPlace(team)
		case !v.Good:
			one.State = versionBad
		case v == playing:
			one.State = versionPlays
		}
		list, known[one.Version] = append(list, one), one
	}
	for _, v := range s.tallied().team(team).Versions {
		one := known[v.Version]
		if one == nil {
			one = &VersionResult{Version: v.Version, State: versionJoined}
			list = append(list, one)
		}
		one.Matches, one.Wins, one.Forfeits, one.Last = v.Matches, v.Wins, v.Forfeits, v.Last
		one.Beaten = float64(v.Halves) / float64(max(v.Most, 1))
	}
	slices.SortStableFunc(list, func(a, b *VersionResult) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.Sent, a.Sent))
	})
	answer := []VersionResult{}
	for _, one := range list {
		if s.Versions.Benched(team, one.Version) {
			one.State = versionBenched
			one.Reason = fmt.Sprintf(
				"it failed %d matches in a row: mend it, or send it again", MaxFailures)
			v := s.Versions.find(team, strings.TrimPrefix(one.Version, UploadPrefix))
			if v != nil && v.Failed != "" {
				one.Reason += "; in the last one " + v.Failed
			}
		}
		answer = append(answer, *one)
	}
	return answer
}
