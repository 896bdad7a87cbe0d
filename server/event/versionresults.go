package event

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The states of versions, as teams are told.
const (
	stateUntried = "untried" // its test match is not over
	stateBad     = "bad"     // it failed that match, and plays no rounds
	stateGood    = "good"    // it can play, and another one does
	stateRests   = "rests"   // it failed maxFailures matches in a row
	statePlays   = "plays"   // it plays the next round if no bot of the team is connected
	stateJoined  = "joined"  // it played over a connection
)

// VersionResult is the sum of the results of a version of a team in rounds.
type VersionResult struct {
	Version  string  `json:"version"`          // a digest, after "sent:" if the version was sent; "": the bot did not say one
	File     string  `json:"file,omitempty"`   // that was sent and is started
	Sent     int64   `json:"sent,omitempty"`   // when, in seconds of Unix time
	State    string  `json:"state"`            // one of the states above
	Reason   string  `json:"reason,omitempty"` // why it does not play
	Queue    int     `json:"queue,omitempty"`  // place in the queue of test matches, from 1; 0: it was tried
	Matches  int     `json:"matches"`          // that count
	Wins     int     `json:"wins"`             // with no team or built-in bot before it
	Beaten   float64 `json:"beaten"`           // share of the opponents, ties half; 0 without matches
	Forfeits int     `json:"forfeits"`         // matches that it did not hold out
	Last     int     `json:"last,omitempty"`   // number of its last match, from 1
}

// Versions returns a team's versions with their results, the newest first.
func (e *Event) Versions(team int) []VersionResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.versionResults(team)
}

func (s *state) versionResults(team int) []VersionResult {
	var list []*VersionResult
	known := map[string]*VersionResult{}
	playing := s.plays(team)
	for _, v := range slices.Backward(s.sent[team]) { // of two that were sent within a second the last one comes first
		one := &VersionResult{Version: v.name(), File: v.File, Sent: v.At, State: stateGood, Reason: v.Reason}
		switch {
		case !v.Tried:
			one.State, one.Queue = stateUntried, s.trialPlace(team)
		case !v.Good:
			one.State = stateBad
		case v == playing:
			one.State = statePlays
		}
		list, known[one.Version] = append(list, one), one
	}
	for _, v := range s.tallied().team(team).Versions {
		one := known[v.Version]
		if one == nil {
			one = &VersionResult{Version: v.Version, State: stateJoined}
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
		if s.rests(team, one.Version) {
			one.State = stateRests
			one.Reason = fmt.Sprintf("it failed %d matches in a row: mend it, or send it again", maxFailures)
			if v := s.find(team, strings.TrimPrefix(one.Version, sentPrefix)); v != nil && v.Failed != "" {
				one.Reason += "; in the last one " + v.Failed
			}
		}
		answer = append(answer, *one)
	}
	return answer
}
