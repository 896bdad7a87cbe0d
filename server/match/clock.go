package match

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Budget is the time that a player may think.
type Budget struct {
	Time      time.Duration // per move; 0 is unlimited
	Lasting   bool          // Time is shared by all moves of the match
	Increment time.Duration // added to a lasting budget with each move
}

// Clock returns the pace of games in which players move alternately: a turn ends when
// all awaited players have answered, or when one of them has used up its budget.
// budget is called once for each player. A turn takes at least floor, which counts
// against no player's budget.
//
// Times are counted in whole microseconds, as games count them.
func Clock(budget func(engine.PlayerID) Budget, floor time.Duration) Pace {
	return &clock{budget: budget, floor: floor, players: map[engine.PlayerID]*balance{}}
}

type clock struct {
	budget func(engine.PlayerID) Budget
	floor  time.Duration

	players  map[engine.PlayerID]*balance
	asked    time.Time
	awaited  []engine.PlayerID // players that have not answered yet
	deadline time.Time         // zero means no deadline
}

// succeed returns the pace that follows another one in the middle of a match. If both are clocks,
// the players keep what is left of their budgets.
func succeed(before, next Pace) Pace {
	old, ok := before.(*clock)
	if c, both := next.(*clock); ok && both {
		c.players = old.players
	}
	return next
}

// balance is a budget and what is left of it.
type balance struct {
	Budget
	left time.Duration
}

func (c *clock) balance(p engine.PlayerID) *balance {
	a := c.players[p]
	if a == nil {
		b := c.budget(p)
		a = &balance{b, b.Time}
		c.players[p] = a
	}
	return a
}

func (c *clock) Limit(p engine.PlayerID) time.Duration {
	if b := c.balance(p).Budget; !b.Lasting {
		return b.Time
	}
	return 0
}

func (c *clock) Begun(time.Time) Decision { return Decision{End: true} }

func (c *clock) Asked(now time.Time, awaited []engine.PlayerID) Decision {
	c.asked = now
	c.awaited = append(c.awaited[:0], awaited...)
	return c.decide(now)
}

func (c *clock) Answered(now time.Time, p engine.PlayerID) Decision {
	if a := c.balance(p); a.Lasting && slices.Contains(c.awaited, p) {
		a.left += a.Increment - now.Sub(c.asked).Truncate(time.Microsecond)
	}
	return c.Left(now, p)
}

// Left implements Pace. A player that leaves has made no move, for which it would pay and get its
// increment. If it returns in the same turn, its clock has run since it was asked.
func (c *clock) Left(now time.Time, p engine.PlayerID) Decision {
	if i := slices.Index(c.awaited, p); i >= 0 {
		c.awaited = slices.Delete(c.awaited, i, i+1)
	}
	return c.decide(now)
}

func (c *clock) Returned(now time.Time, p engine.PlayerID) Decision {
	c.awaited = append(c.awaited, p)
	return c.decide(now)
}

func (c *clock) Woken(now time.Time) Decision {
	if len(c.awaited) > 0 && !c.deadline.IsZero() && !now.Before(c.deadline) {
		return Decision{End: true, TimeUp: true}
	}
	return c.decide(now)
}

func (c *clock) decide(now time.Time) Decision {
	earliest := c.asked.Add(c.floor)
	switch {
	case len(c.awaited) > 0:
		c.deadline = c.soonest()
		return Decision{Wake: c.deadline}
	case now.Before(earliest):
		return Decision{Wake: earliest}
	}
	return Decision{End: true}
}

// soonest returns when the first awaited player runs out of time.
func (c *clock) soonest() (deadline time.Time) {
	for _, p := range c.awaited {
		a := c.balance(p)
		if a.Time == 0 {
			continue
		}
		if end := c.asked.Add(a.left); deadline.IsZero() || end.Before(deadline) {
			deadline = end
		}
	}
	return deadline
}
