package event

import (
	"time"

	"github.com/hexarena/hexarena/server/event/state"
)

// Deadline returns the time until the deadline, 0 if it is over; set reports whether there is one.
func (e *Event) Deadline() (left time.Duration, set bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	deadline := e.state.Versions.Deadline()
	if deadline == 0 {
		return 0, false
	}
	return max(0, time.Until(time.Unix(deadline, 0))), true
}

// Late returns an error if it is too late to send a version.
func (e *Event) Late() error {
	now := time.Now().Unix()
	return Ask(e, func(s *state.State) error { return s.Versions.Late(now) })
}

// SetDeadline sets the deadline to a time from now; 0 removes it.
func (e *Event) SetDeadline(in time.Duration) error {
	now := time.Now()
	return e.Do(func(s *state.State) (state.Act, error) {
		if in == 0 {
			return s.Versions.RemoveDeadline()
		}
		return s.Versions.SetDeadline(now.Add(in).Unix(), now.Unix())
	})
}

// StartFinal starts a final, whose matches begin at once.
func (e *Event) StartFinal(format string, teams, best int) error {
	official := e.Official()
	return e.Do(func(s *state.State) (state.Act, error) {
		return s.StartFinal(format, teams, best, official)
	})
}
