package match

import (
	"math"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Pace decides when a turn ends. It is pure: it is told the time, and the match
// owns the timer. Each call answers with a [Verdict] that replaces the last.
type Pace interface {
	// Begun says that the match has begun; the verdict is on the wait before
	// the first turn.
	Begun(now time.Time) Verdict
	// Asked begins a turn: the awaited players, all connected, were asked.
	Asked(now time.Time, awaited []engine.PlayerID) Verdict
	// Answered says that an awaited player answered this turn or left.
	Answered(now time.Time, p engine.PlayerID) Verdict
	// Returned says that a player who left is back, and awaited again.
	Returned(now time.Time, p engine.PlayerID) Verdict
	// Woken says that the time which the last verdict asked for has come.
	Woken(now time.Time) Verdict
}

// Verdict is what a pace wants: the turn to end, or to be woken at a time. The
// zero Wake is never.
type Verdict struct {
	End  bool
	Wake time.Time
	// Unheard is how many answers may lie in the mailbox, as they would change
	// nothing: the match need not be woken for each of them.
	Unheard int
}

// anyAnswers is the Unheard of a pace that no answer makes a difference to.
const anyAnswers = math.MaxInt

// Timer is netorcai's default pace: a turn takes its time, whoever answers.
func Timer(first, every time.Duration) Pace { return &timer{first: first, every: every} }

type timer struct {
	first, every time.Duration

	end time.Time
	// late is how long after its end the last turn was ended, as no timer goes off
	// on the dot. The next one is as much shorter, so that turns keep their beat.
	late time.Duration
}

func (t *timer) Begun(now time.Time) Verdict {
	t.end = now.Add(t.first)
	return Verdict{Wake: t.end}
}

func (t *timer) Asked(now time.Time, _ []engine.PlayerID) Verdict {
	t.end = now.Add(t.every - t.late)
	return t.verdict()
}

func (t *timer) Answered(time.Time, engine.PlayerID) Verdict { return t.verdict() }

func (t *timer) Returned(time.Time, engine.PlayerID) Verdict { return t.verdict() }

func (t *timer) verdict() Verdict { return Verdict{Wake: t.end, Unheard: anyAnswers} }

func (t *timer) Woken(now time.Time) Verdict {
	t.late = now.Sub(t.end)
	if t.late > t.every/8 {
		t.late = 0 // the machine has better things to do, or was asleep: no turn makes up for that
	}
	return Verdict{End: true}
}

// Fast is the pace at which a turn ends when all have answered, or at the
// latest after the limit, if there is one. A turn takes at least the floor,
// which gives people the time to watch.
func Fast(limit, floor time.Duration) Pace { return &fast{limit: limit, floor: floor} }

type fast struct {
	limit, floor time.Duration

	missing  int
	earliest time.Time
	latest   time.Time // zero: no limit
}

func (f *fast) Begun(time.Time) Verdict { return Verdict{End: true} }

func (f *fast) Asked(now time.Time, awaited []engine.PlayerID) Verdict {
	f.missing = len(awaited)
	f.earliest, f.latest = now, time.Time{}
	if f.floor > 0 {
		f.earliest = now.Add(f.floor)
	}
	if f.limit > 0 {
		f.latest = now.Add(max(f.limit, f.floor))
	}
	return f.verdict(now)
}

func (f *fast) Answered(now time.Time, _ engine.PlayerID) Verdict {
	f.missing--
	return f.verdict(now)
}

func (f *fast) Returned(now time.Time, _ engine.PlayerID) Verdict {
	f.missing++
	return f.verdict(now)
}

func (f *fast) Woken(now time.Time) Verdict {
	if !f.latest.IsZero() && !now.Before(f.latest) {
		return Verdict{End: true}
	}
	return f.verdict(now)
}

func (f *fast) verdict(now time.Time) Verdict {
	if f.missing > 0 {
		return Verdict{Wake: f.latest, Unheard: f.missing - 1}
	}
	if now.Before(f.earliest) {
		return Verdict{Wake: f.earliest}
	}
	return Verdict{End: true}
}
