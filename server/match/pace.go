package match

import (
	"math"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Pace decides when a turn ends. It is pure: it is told the time, and the match
// owns the timer. Each call returns a [Decision] that replaces the previous one.
type Pace interface {
	// Begun starts the wait before the first turn.
	Begun(now time.Time) Decision
	// Asked starts a turn: the awaited players, all of them connected, were asked.
	Asked(now time.Time, awaited []engine.PlayerID) Decision
	// Answered reports that an awaited player answered this turn.
	Answered(now time.Time, p engine.PlayerID) Decision
	// Left reports that an awaited player left before it answered. If it returns in the same turn, it
	// has the time that it would have had without leaving.
	Left(now time.Time, p engine.PlayerID) Decision
	// Returned reports that a player reconnected and is awaited again.
	Returned(now time.Time, p engine.PlayerID) Decision
	// Woken reports that the time which the last decision asked for has come.
	Woken(now time.Time) Decision
	// Limit returns the time that a player has for an answer; 0: there is no limit, or a clock
	// counts several answers. Viewers are told: the length of turns does not show it, since a
	// turn may await no player.
	Limit(p engine.PlayerID) time.Duration
}

// Decision is what a pace decides: to end the turn, or when to be called again.
type Decision struct {
	End    bool
	TimeUp bool      // the turn ends because its time is over, not because all have answered
	Wake   time.Time // when to call Woken; zero: never
	// SkipWakeups is the number of answers that may stay in the mailbox because they
	// would not change the decision: the match is not woken for each of them.
	SkipWakeups int
	// Headroom is time at the beginning of a turn in which the match may hold back what
	// it sends to spectators, so that their many writes do not compete with the players'
	// programs for the processor. It is 0 if the turn may end as soon as players answer.
	Headroom time.Duration
}

// anyAnswers is the SkipWakeups of a pace that ignores answers.
const anyAnswers = math.MaxInt

// Timer returns netorcai's default pace: turns have a fixed length, however fast the players
// answer.
func Timer(first, every time.Duration) Pace { return &timer{first: first, every: every} }

type timer struct {
	first, every time.Duration

	end time.Time
	// late is by how much the last turn ended late, since no timer fires exactly on
	// time. The next turn is shorter by that, so that turns keep their rate.
	late time.Duration
}

// headStart is the time before the spectators, of whom there may be hundreds, the
// players get a TURN. A millisecond suffices for the players' programs to be scheduled.
const headStart = time.Millisecond

func (t *timer) Limit(engine.PlayerID) time.Duration { return t.every }

func (t *timer) Begun(now time.Time) Decision {
	t.end = now.Add(t.first)
	return Decision{Wake: t.end}
}

func (t *timer) Asked(now time.Time, _ []engine.PlayerID) Decision {
	length := t.every - t.late
	t.end = now.Add(length)
	d := t.decide()
	if length > 10*headStart { // in shorter turns spectators would lag noticeably
		d.Headroom = headStart
	}
	return d
}

func (t *timer) Answered(time.Time, engine.PlayerID) Decision { return t.decide() }

func (t *timer) Left(time.Time, engine.PlayerID) Decision { return t.decide() }

func (t *timer) Returned(time.Time, engine.PlayerID) Decision { return t.decide() }

func (t *timer) decide() Decision { return Decision{Wake: t.end, SkipWakeups: anyAnswers} }

func (t *timer) Woken(now time.Time) Decision {
	t.late = now.Sub(t.end)
	if t.late > t.every/8 {
		t.late = 0 // the machine was overloaded or suspended; do not try to make up for that
	}
	return Decision{End: true, TimeUp: true}
}

// Fast returns the pace at which a turn ends when all awaited players have answered,
// or after limit, if that is not 0. A turn takes at least floor, so that people can
// watch.
func Fast(limit, floor time.Duration) Pace { return &fast{limit: limit, floor: floor} }

type fast struct {
	limit, floor time.Duration

	missing  int
	earliest time.Time
	latest   time.Time // zero: no limit
}

func (f *fast) Limit(engine.PlayerID) time.Duration { return f.limit }

func (f *fast) Begun(time.Time) Decision { return Decision{End: true} }

func (f *fast) Asked(now time.Time, awaited []engine.PlayerID) Decision {
	f.missing = len(awaited)
	f.earliest, f.latest = now, time.Time{}
	if f.floor > 0 {
		f.earliest = now.Add(f.floor)
	}
	if f.limit > 0 {
		f.latest = now.Add(max(f.limit, f.floor))
	}
	return f.decide(now)
}

func (f *fast) Answered(now time.Time, _ engine.PlayerID) Decision {
	f.missing--
	return f.decide(now)
}

func (f *fast) Left(now time.Time, p engine.PlayerID) Decision { return f.Answered(now, p) }

func (f *fast) Returned(now time.Time, _ engine.PlayerID) Decision {
	f.missing++
	return f.decide(now)
}

func (f *fast) Woken(now time.Time) Decision {
	if f.missing > 0 && !f.latest.IsZero() && !now.Before(f.latest) {
		return Decision{End: true, TimeUp: true}
	}
	return f.decide(now)
}

func (f *fast) decide(now time.Time) Decision {
	if f.missing > 0 {
		return Decision{Wake: f.latest, SkipWakeups: f.missing - 1}
	}
	if now.Before(f.earliest) {
		return Decision{Wake: f.earliest}
	}
	return Decision{End: true}
}
