package botapi

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// maxMoves ends a game without a turn limit, as a draw.
const maxMoves = 100_000

// Settings are those of all matches of two peers.
func Settings() match.Settings { return match.Settings{Turns: maxMoves, Players: 2} }

// NewMatch makes a match of two peers, which starts when both have a seat. budget
// is how long each side has; of the options, the seed, the watchers and the log
// count.
func NewMatch(rules engine.Game, budget func(engine.PlayerID) match.Budget, o match.Options) *match.Match {
	o.Settings, o.Autostart, o.InOrder, o.LeaveEnds = Settings(), true, true, true
	o.Pace = func(match.Settings) match.Pace { return match.Clock(budget, 0) }
	o.Referee = match.Local(rules)
	return match.New(o)
}
