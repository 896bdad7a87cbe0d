package match

import (
	"time"

	"github.com/hexarena/hexarena/engine"
)

// PaceSpec describes the pace of a match that waits for the answers of its players. With the zero
// value, a turn ends when all have answered.
type PaceSpec struct {
	// Budget is the time of each player in a game in which players move alternately; nil: none.
	Budget *Budget
	Limit  time.Duration // of a turn, without a budget; 0: none
	Floor  time.Duration // the least length of a turn
}

// Pace returns a new pace for one match.
func (s PaceSpec) Pace(Settings) Pace {
	if s.Budget == nil {
		return Fast(s.Limit, s.Floor)
	}
	budget := *s.Budget
	return Clock(func(engine.PlayerID) Budget { return budget }, s.Floor)
}
