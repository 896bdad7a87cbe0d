package match

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// patience is the number of turns in a row that a player may miss before it counts as hung. A
// pause, to load a model or to compile, takes one or two of them; each costs the match its whole
// time limit.
const patience = 5

// Waiting is a pace that ends a turn when all players have answered or its time is over, and does
// not wait any more for a player that is hung. It is as pure as the pace that it uses.
type Waiting struct {
	Pace
	// Exempt reports whether turns wait for a player however long it takes; nil: for none.
	Exempt func(engine.PlayerID) bool
	missed []int             // turns in a row, by id
	owing  []engine.PlayerID // that the turn waits for
}

// NewWaiting returns the pace with a time limit for a turn, 0 for none, and the least length of
// one, of a match with this many players.
func NewWaiting(limit, floor time.Duration, players int) *Waiting {
	return &Waiting{Pace: Fast(limit, floor), missed: make([]int, players)}
}

// Hung reports whether the match does not wait for a player any more.
func (w *Waiting) Hung(p engine.PlayerID) bool { return w.missed[p] >= patience }

// Missed returns how many turns in a row a player has missed so far.
func (w *Waiting) Missed(p engine.PlayerID) int { return w.missed[p] }

// Owing returns the players that the turn waits for. It is valid until the next call of another
// method.
func (w *Waiting) Owing() []engine.PlayerID { return w.owing }

// Suspend stops the match from waiting for a player, as if it had missed turns.
func (w *Waiting) Suspend(p engine.PlayerID) { w.missed[p] = patience }

// Resume makes the match wait for a player again from the next turn on. If the player misses that
// one, it is hung again.
func (w *Waiting) Resume(p engine.PlayerID) { w.missed[p] = patience - 1 }

// Asked implements Pace.
func (w *Waiting) Asked(now time.Time, awaited []engine.PlayerID) Decision {
	w.owing = slices.DeleteFunc(append(w.owing[:0], awaited...), w.Hung)
	return w.Pace.Asked(now, w.owing)
}

// Answered implements Pace.
func (w *Waiting) Answered(now time.Time, p engine.PlayerID) Decision {
	if !w.stopWaiting(p) {
		return w.Woken(now)
	}
	w.missed[p] = 0
	return w.Pace.Answered(now, p)
}

// Left implements Pace. A player that leaves and connects again has still missed as many
// turns.
func (w *Waiting) Left(now time.Time, p engine.PlayerID) Decision {
	if !w.stopWaiting(p) {
		return w.Woken(now)
	}
	return w.Pace.Left(now, p)
}

// stopWaiting removes p from the awaited players. It returns false if p was not awaited: the turn
// then ends only when its time is over.
func (w *Waiting) stopWaiting(p engine.PlayerID) bool {
	i := slices.Index(w.owing, p)
	if i >= 0 {
		w.owing = slices.Delete(w.owing, i, i+1)
	}
	return i >= 0
}

// Returned implements Pace. A player that is hung is not awaited because it has connected
// again, but once it answers.
func (w *Waiting) Returned(now time.Time, p engine.PlayerID) Decision {
	if w.Hung(p) {
		return w.Woken(now)
	}
	w.owing = append(w.owing, p)
	return w.Pace.Returned(now, p)
}

// Woken implements Pace.
func (w *Waiting) Woken(now time.Time) Decision {
	d := w.Pace.Woken(now)
	if d.TimeUp {
		for _, p := range w.owing {
			if w.Exempt == nil || !w.Exempt(p) {
				w.missed[p]++
			}
		}
		w.owing = w.owing[:0]
	}
	return d
}
