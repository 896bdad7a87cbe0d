package hextictactoe

import "fmt"

// ClockKind says what becomes of the time that a move takes.
type ClockKind string

// The kinds of clocks.
const (
	NoClock     ClockKind = "none"
	TurnClock   ClockKind = "turn"        // each move has the whole time
	MatchClock  ClockKind = "match"       // all moves of a side share it
	Incremental ClockKind = "incremental" // the same, and each move adds to it
)

// maxClock bounds times, in milliseconds: 365 days.
const maxClock = 365 * 24 * 3600 * 1000

// Clock is how much time a side has. The game only counts: whoever measures
// says in engine.Input how long a move took.
type Clock struct {
	Kind      ClockKind `json:"type"`
	Base      int64     `json:"base_ms,omitempty"`      // milliseconds
	Increment int64     `json:"increment_ms,omitempty"` // after each move, of an incremental clock
}

func (c Clock) check() error {
	switch c.Kind {
	case NoClock:
		return nil
	case TurnClock, MatchClock, Incremental:
	default:
		return fmt.Errorf("hextictactoe: clock type %.20q, it is none, turn, match or incremental", c.Kind)
	}
	if c.Base < 1 || c.Base > maxClock {
		return fmt.Errorf("hextictactoe: base_ms %d of the clock is not from 1 to %d", c.Base, maxClock)
	}
	if c.Increment < 0 || c.Increment > maxClock || c.Kind != Incremental && c.Increment != 0 {
		return fmt.Errorf("hextictactoe: increment_ms %d of a %s clock; an incremental one takes 0 to %d", c.Increment, c.Kind, maxClock)
	}
	return nil
}

// clocks are the times that both sides have left, in microseconds.
type clocks struct {
	Clock
	left [2]int64 // x and o
}

func newClocks(c Clock) clocks {
	return clocks{c, [2]int64{1000 * c.Base, 1000 * c.Base}}
}

// spend takes what a move took, 0 or more, off a side's time; it is false, with no time
// left, when that was too little.
func (c *clocks) spend(s Side, micros int64) bool {
	left := &c.left[s-X]
	switch {
	case c.Kind == NoClock:
	case micros > *left:
		*left = 0
		return false
	case c.Kind != TurnClock:
		*left += 1000*c.Increment - micros
	}
	return true
}

// runOut takes all of a side's time away.
func (c *clocks) runOut(s Side) { c.left[s-X] = 0 }
