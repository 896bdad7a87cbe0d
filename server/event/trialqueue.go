package event

import (
	"cmp"
	"slices"
	"time"
)

const (
	// trialDelay is how much later a version counts as sent for each version before it that was bad: as
	// long as two test matches at once take for 40 versions that sleep. So teams that send such
	// versions wait behind others, and those whose bot is not yet right do not wait for ever.
	trialDelay = 200 * time.Second
	// maxTrialDelays bounds the bad versions that count.
	maxTrialDelays = 5
)

// untriedVersion is a version that waits for its test match.
type untriedVersion struct {
	team int
	sent *Sent
	due  int64 // seconds of Unix time, by which they are ordered
}

// untried returns the versions that have not been tried, in the order in which they are to be. A team
// has one at a time, so that teams take turns.
func (s *state) untried() (queue []untriedVersion) {
	for number, t := range s.teams {
		if t.Removed {
			continue
		}
		for _, v := range s.sent[number] {
			if !v.Tried {
				delay := time.Duration(min(s.badInRow(number), maxTrialDelays)) * trialDelay
				queue = append(queue, untriedVersion{number, v, v.At + int64(delay/time.Second)})
			}
		}
	}
	slices.SortStableFunc(queue, func(a, b untriedVersion) int { return cmp.Compare(a.due, b.due) })
	return queue
}

// badInRow returns how many of the versions that a team sent last were bad.
func (s *state) badInRow(team int) (n int) {
	for _, v := range slices.Backward(s.sent[team]) {
		switch {
		case v.Good:
			return n
		case v.Tried:
			n++
		}
	}
	return n
}

// untried returns the version that is to be tried next of the teams that are not in skipped, and its
// team; nil if all have been tried.
func (e *Event) untried(skipped map[int]bool) (team int, found *Sent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, one := range e.state.untried() {
		if !skipped[one.team] {
			copied := *one.sent
			return one.team, &copied
		}
	}
	return 0, nil
}

// trialPlace returns the place of a team's version in the queue of test matches, from 1; 0 if none waits.
func (s *state) trialPlace(team int) int {
	return 1 + slices.IndexFunc(s.untried(), func(one untriedVersion) bool { return one.team == team })
}
