package match

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Budget is how long a player may think.
type Budget struct {
	Time      time.Duration // for each move; 0: as long as it likes
	Lasting   bool          // Time is for all moves of the match together
	Increment time.Duration // of a lasting budget: what each move adds
}

// Clock is the pace of games in which players take turns: a turn ends when those
// who are awaited have answered, or when one of them has used up its budget. Each
// player's is asked for once. A turn takes at least the floor, which costs nobody
// any time.
//
// Times are counted in whole microseconds, as games count them.
func Clock(budget func(engine.PlayerID) Budget, floor time.Duration) Pace {
	return &clock{budget: budget, floor: floor, players: map[engine.PlayerID]*account{}}
}

type clock struct {
	budget func(engine.PlayerID) Budget
	floor  time.Duration

	players  map[engine.PlayerID]*account
	asked    time.Time
	awaited  []engine.PlayerID // who has not answered yet
	deadline time.Time         // zero: none
}

// account is a budget and what is left of it.
type account struct {
	Budget
	left time.Duration
}

func (c *clock) account(p engine.PlayerID) *account {
	a := c.players[p]
	if a == nil {
		b := c.budget(p)
		a = &account{b, b.Time}
		c.players[p] = a
	}
	return a
}

func (c *clock) Begun(time.Time) Verdict { return Verdict{End: true} }

func (c *clock) Asked(now time.Time, awaited []engine.PlayerID) Verdict {
	c.asked = now
	c.awaited = append(c.awaited[:0], awaited...)
	return c.verdict(now)
}

func (c *clock) Answered(now time.Time, p engine.PlayerID) Verdict {
	if i := slices.Index(c.awaited, p); i >= 0 {
		c.awaited = slices.Delete(c.awaited, i, i+1)
		if a := c.account(p); a.Lasting {
			a.left += a.Increment - now.Sub(c.asked).Truncate(time.Microsecond)
		}
	}
	return c.verdict(now)
}

func (c *clock) Returned(now time.Time, p engine.PlayerID) Verdict {
	c.awaited = append(c.awaited, p)
	return c.verdict(now)
}

func (c *clock) Woken(now time.Time) Verdict {
	if len(c.awaited) > 0 && !c.deadline.IsZero() && !now.Before(c.deadline) {
		return Verdict{End: true}
	}
	return c.verdict(now)
}

func (c *clock) verdict(now time.Time) Verdict {
	earliest := c.asked.Add(c.floor)
	switch {
	case len(c.awaited) > 0:
		c.deadline = c.soonest()
		return Verdict{Wake: c.deadline}
	case now.Before(earliest):
		return Verdict{Wake: earliest}
	}
	return Verdict{End: true}
}

// soonest is when the first of those who are awaited runs out of time.
func (c *clock) soonest() (deadline time.Time) {
	for _, p := range c.awaited {
		a := c.account(p)
		if a.Time == 0 {
			continue
		}
		if end := c.asked.Add(a.left); deadline.IsZero() || end.Before(deadline) {
			deadline = end
		}
	}
	return deadline
}
