package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// operate runs the server again after each crash of the plan, and ends it when the event is over.
func (w *eventWorld) operate(a *actor) {
	left := w.plan.lasts
	if w.plan.trouble != (Trouble{}) {
		a.act("disk", w.disturb)
	} else {
		close(w.well)
	}
	for number := range w.plan.crashes + 1 {
		g := a.generate(&w.plan.plan, number)
		last := number == w.plan.crashes
		a.act(g.name+"server", func(a *actor) { w.serve(a, g, last) })
		if last {
			break
		}
		runs := between(a.rng, 0, w.plan.lasts/2)
		a.sleep(runs)
		left -= runs
		power := chance(a.rng, 2)
		a.note("the server crashes (power failure: %t)", power)
		w.judge.crash(w)
		w.set(nil, nil)
		// or people look at the screen, and start their bots again
		g.crash(power, power && chance(a.rng, 8))
		a.sleep(between(a.rng, 0, 3*time.Second))
	}
	for range w.plan.acts {
		a.sleep(between(a.rng, 0, w.plan.lasts/6))
		w.actOnce(a)
	}
	a.sleep(0) // or a round that the last act began would race with the next act
	w.does(func(e *event.Event) error { return e.Note(&state.RoundsPaused{}) })
	a.sleep(max(left, w.plan.lasts/4))
	a.note("quits")
	a.close()
	a.newest().cancel()
}

// disturb troubles the disk now and then.
func (w *eventWorld) disturb(a *actor) {
	defer close(w.well)
	for range 1 + a.rng.IntN(3) {
		w.plan.plan.disturb(a)
		w.judge.delayed()
	}
}

// actOnce does one act of the operator.
func (w *eventWorld) actOnce(a *actor) {
	n, on := a.rng.IntN(len(w.plan.conducts)+1), !chance(a.rng, 3)
	switch a.rng.IntN(6) {
	case 0:
		a.note("team %d rests: %t, %t", n, on,
			w.operates(func(s *state.State) (state.Act, error) { return s.Teams.Rest(n, on) }))
	case 1:
		a.note("rounds pause: %t, %t", on,
			w.does(func(e *event.Event) error { return e.Note(&state.RoundsPaused{On: on}) }))
	case 2:
		a.note("match %d is void: %t, %t", n+1, on,
			w.does(func(e *event.Event) error { return voidOne(e, n, on) }))
	case 3:
		name := fmt.Sprint("renamed ", a.rng.IntN(10))
		a.note("team %d is %s: %t", n, name,
			w.operates(func(s *state.State) (state.Act, error) { return s.Teams.Rename(n, name) }))
	default:
		if _, rounds := w.now(); rounds != nil {
			a.note("begins a round")
			rounds.BeginNow()
		}
	}
}

// voidOne voids one of the last matches, or takes that back.
func voidOne(e *event.Event, n int, on bool) error {
	rows := e.View().Last
	if n >= len(rows) {
		return errors.New("there are fewer matches")
	}
	return e.Do(func(s *state.State) (state.Act, error) { return s.Void(rows[n].K, on) })
}

// operates reports whether the operator's act was written.
func (w *eventWorld) operates(next func(*state.State) (state.Act, error)) bool {
	return w.does(func(e *event.Event) error { return e.Do(next) })
}

// team is a team of an event, whose bot connects as soon as it has a token.
type team struct {
	*eventWorld
	conduct string
	number  int
}

// play signs the team up, and has its bot play.
func (m *team) play(a *actor) {
	p := &m.plan.plan
	g := p.guest("player", m.conduct, fmt.Sprintf("10.0.1.%d", m.number/4),
		a.rand(fmt.Sprint("link ", m.number)))
	g.stays = chance(a.rng, 2)
	if chance(a.rng, 2) {
		a.sleep(between(a.rng, 0, m.plan.lasts/2))
	}
	for try := 0; g.token == ""; try++ {
		if a.closing() {
			return
		}
		name := fmt.Sprintf("%s %d", a.name, try) // which a server that crashed may have written
		m.does(func(e *event.Event) error {
			one, token, err := e.SignUp(name, e.Code())
			if err == nil {
				a.note("signs up as %s", one.Nick)
				m.judge.signedUp(one.Nick, token, m.conduct == "honest")
				g.token = token
			}
			return err
		})
		if g.token == "" {
			a.sleep(between(a.rng, 100*time.Millisecond, time.Second))
		}
	}
	g.play(a)
}
