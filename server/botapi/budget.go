package botapi

import (
	"time"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/match"
)

// BudgetOf returns how long a side may think by a clock. Without a clock, patience
// bounds each move.
func BudgetOf(c hextictactoe.Clock, patience time.Duration) match.Budget {
	base := time.Duration(c.Base) * time.Millisecond
	switch c.Kind {
	case hextictactoe.TurnClock:
		return match.Budget{Time: base}
	case hextictactoe.MatchClock, hextictactoe.Incremental:
		return match.Budget{Time: base, Lasting: true, Increment: time.Duration(c.Increment) * time.Millisecond}
	}
	return match.Budget{Time: patience}
}
