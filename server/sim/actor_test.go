package sim

import (
	"math/rand/v2"
	"time"
)

// actor is a goroutine of the world with a name, a random stream and a part in the history.
// It does a step only when the scheduler lets it: after Sleep, or when something arrives at
// one of its connections.
type actor struct {
	*World
	name    string
	rng     *rand.Rand
	wake    *emitter
	dialled int // number of connections
}

// act starts an actor.
func (w *World) act(name string, play func(*actor)) {
	a := &actor{World: w, name: name, rng: w.rand(name), wake: w.scheduler.source(name)}
	w.actors.Go(func() {
		a.sleep(0)
		play(a)
	})
}

// note records something in the history.
func (a *actor) note(format string, args ...any) { a.history.add(a.name, format, args...) }

// sleep waits, in steps of the scheduler.
func (a *actor) sleep(d time.Duration) {
	woken := make(chan struct{})
	a.wake.at(time.Now().Add(d), func() { close(woken) })
	<-woken
}

// between returns a random duration from at least to below most, in nanoseconds.
func between(rng *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(rng.Int64N(int64(most-least)))
}

// chance reports true with a probability of one in n.
func chance(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }
