package hivemaker

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
)

var clockKinds = map[htttx.ClockType]hextictactoe.ClockKind{
	htttx.NoClock:          hextictactoe.NoClock,
	htttx.TurnClock:        hextictactoe.TurnClock,
	htttx.MatchClock:       hextictactoe.MatchClock,
	htttx.IncrementalClock: hextictactoe.Incremental,
}

// optionsOf returns the rules of a requested game.
func optionsOf(c htttx.MatchConfig) hextictactoe.Options {
	o := hextictactoe.Options{
		ViewDistance: c.ViewDistance, WinDistance: c.WinDistance, TurnLimit: c.TurnLimit,
		Clock: hextictactoe.Clock{Kind: clockKinds[c.Clock]},
	}
	if c.Clock != htttx.NoClock {
		o.Clock.Base = max(1, c.Time.Milliseconds())
	}
	if c.Clock == htttx.IncrementalClock {
		o.Clock.Increment = c.Increment.Milliseconds()
	}
	return o
}

// budget returns the time of a side.
func (g *game) budget(p engine.PlayerID) match.Budget {
	moveTime := g.server.opts.PersonMoveTime
	if g.players()[p].Bot {
		moveTime = g.server.opts.BotMoveTime
	}
	return botapi.BudgetOf(optionsOf(g.config.Match).Clock, moveTime)
}
