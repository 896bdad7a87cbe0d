package hive

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/match"
)

var clockKinds = map[htttx.ClockType]hextictactoe.ClockKind{
	htttx.NoClock:          hextictactoe.NoClock,
	htttx.TurnClock:        hextictactoe.TurnClock,
	htttx.MatchClock:       hextictactoe.MatchClock,
	htttx.IncrementalClock: hextictactoe.Incremental,
}

// optionsOf are the rules that a game was asked for with.
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

// budget is how long a side has. Without a clock it still has to move some day.
func (g *game) budget(p engine.PlayerID) match.Budget {
	c := &g.config.Match
	switch c.Clock {
	case htttx.TurnClock:
		return match.Budget{Time: c.Time}
	case htttx.MatchClock:
		return match.Budget{Time: c.Time, Lasting: true}
	case htttx.IncrementalClock:
		return match.Budget{Time: c.Time, Lasting: true, Increment: c.Increment}
	}
	if g.players()[p].Bot {
		return match.Budget{Time: g.hive.opts.BotPatience}
	}
	return match.Budget{Time: g.hive.opts.Patience}
}
