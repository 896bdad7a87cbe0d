package hextictactoe

import "fmt"

// ClockKind is the kind of a clock.
type ClockKind string

// The kinds of clocks.
const (
	NoClock     ClockKind = "none"
	TurnClock   ClockKind = "turn"        // the whole time for each move
	MatchClock  ClockKind = "match"       // one time for all moves of a side
	Incremental ClockKind = "incremental" // like MatchClock, with an increment after each move
)

// maxClock is the longest time on a clock, in milliseconds: 365 days.
const maxClock = 365 * 24 * 3600 * 1000

// Clock is the time that a side has. The game only counts; the time that a move took is in
// its engine.Input.
type Clock struct {
	Kind      ClockKind `json:"type"`
	Base      int64     `json:"base_ms,omitempty"`      // milliseconds
	Increment int64     `json:"increment_ms,omitempty"` // added after each move; only for Incremental
}

func (c Clock) check() error {
	switch c.Kind {
	case NoClock:
		return nil
	case TurnClock, MatchClock, Incremental:
	default:
		return fmt.Errorf("hextictactoe: clock type %.20q is not none, turn, match or incremental",
			c.Kind)
	}
	if c.Base < 1 || c.Base > maxClock {
		return fmt.Errorf("hextictactoe: the clock's base_ms %d is not from 1 to %d", c.Base, maxClock)
	}
	if c.Increment < 0 || c.Increment > maxClock || c.Kind != Incremental && c.Increment != 0 {
		return fmt.Errorf("hextictactoe: increment_ms %d of a %s clock: an incremental clock takes 0 to "+
			"%d, the others none", c.Increment, c.Kind, maxClock)
	}
	return nil
}

// clocks holds the time left on the clocks of both sides, in microseconds.
type clocks struct {
	Clock
	left [2]int64 // x and o
}

func newClocks(c Clock) clocks {
	return clocks{c, [2]int64{1000 * c.Base, 1000 * c.Base}}
}

// spend subtracts the time of a move, 0 or more, from a side's time. It returns false, and
// leaves the side no time, if the move took too long.
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

// runOut sets a side's time to 0.
func (c *clocks) runOut(s Side) { c.left[s-X] = 0 }
