package sim

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	cupplan "github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/games"
	gamehexabomb "github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/match"
)

// eventDir is the folder of an event on the storage.
const eventDir = "/event"

// eventPlan is what happens in the world of an event, as far as it is drawn before it begins.
type eventPlan struct {
	plan          // its limit is that of turns, and its grace that of bots that are gone
	seats    int  // of a match
	near     bool // teams of near ratings meet more often
	start    rounds.Start
	conducts []string // of the teams
	acts     int      // of the operator
	lasts    time.Duration
	longest  time.Duration // a round
}

// usualAccess is the most time that an operation takes on a disk that is well. Matches of a round
// end at the same instant, when the time of a turn is over: what they then do to the disk takes
// different times, or the order of goroutines would number their results, and give one of them the
// last bytes of a disk that becomes full. A million nanoseconds are enough that two of them are
// hardly ever equal.
const usualAccess = time.Millisecond

// newEventPlan draws a plan.
func newEventPlan(rng *rand.Rand) *eventPlan {
	p := &eventPlan{
		seats: 2 + rng.IntN(3), near: chance(rng, 4), acts: rng.IntN(12),
		lasts: between(rng, 5*time.Second, 25*time.Second),
	}
	p.start = rounds.Start{Every: between(rng, time.Second, 6*time.Second)}
	if chance(rng, 4) {
		p.start = rounds.Start{Ready: true}
	}
	p.tokens, p.quits, p.turns, p.radius = true, p.lasts, 3+rng.IntN(5), 1+rng.IntN(2)
	p.limit = between(rng, turnTime, 3*turnTime)
	if chance(rng, 2) {
		p.grace = between(rng, 100*time.Millisecond, time.Second)
	}
	p.longest = joinTime + time.Duration(p.turns+1)*(p.limit+p.grace) + time.Second
	if chance(rng, 2) {
		p.crashes = 1 + rng.IntN(3)
	}
	if chance(rng, 2) {
		p.trouble = drawTrouble(rng)
	}
	others := []string{"slow", "garbled", "flooding", "leaving", "leaving", "silent", "deaf"}
	for range 2 + rng.IntN(6) {
		conduct := "honest"
		if chance(rng, 2) {
			conduct = others[rng.IntN(len(others))]
		}
		p.conducts = append(p.conducts, conduct)
	}
	return p
}

// newReturningPlan draws the plan of an event whose turns may take an hour, but take moments: all
// bots answer, although some connect again and again while they are awaited.
func newReturningPlan(rng *rand.Rand) *eventPlan {
	p := newEventPlan(rng)
	p.crashes, p.trouble, p.turns, p.limit, p.grace, p.lasts, p.conducts = 0, Trouble{}, 4, time.Hour, time.Second, 30*time.Second, p.conducts[:0]
	p.longest = joinTime + time.Duration(p.turns+1)*(p.grace+4*turnTime)
	for range 2 + rng.IntN(6) {
		p.conducts = append(p.conducts, []string{"again", "again", "honest", "slow"}[rng.IntN(4)])
	}
	return p
}

// options returns what the event plays.
func (p *eventPlan) options(g *generation, random io.Reader) event.Options {
	return event.Options{Dir: eventDir, Disk: g.disk, Random: random, Log: zerolog.New(g), Plan: cupplan.Plan{
		Bots:   []cupplan.Bot{{Name: "painter", Seat: "painter"}, {Name: "random", Seat: "random"}},
		Format: cupplan.Ladder, Game: "hexabomb",
		Seats: p.seats, Maps: []cupplan.Map{{Name: "board", Places: p.seats}},
	}}
}

// rounds returns how its rounds are played.
func (p *eventPlan) rounds(g *generation, seed uint64) rounds.Options {
	b := board(p.radius, p.seats)
	return rounds.Options{
		Start: p.start, Near: p.near, Game: gamehexabomb.Game(), Turns: p.turns, TurnTimeout: p.limit,
		Reconnect: p.grace, Seed: seed, Log: zerolog.New(g),
		Board: games.Instance{
			Map: "board", Players: p.seats, Setup: b.AppendJSON(nil),
			New: func() engine.Game { return hexabomb.New(b) },
		},
	}
}

// eventWorld is the world of an event: teams, an operator, a disk, and one server after another.
type eventWorld struct {
	*World
	plan  *eventPlan
	judge *eventJudge
	well  chan struct{} // closed once the disk stays well

	mu     sync.Mutex
	event  *event.Event // of the server that runs; nil: none does
	rounds *rounds.Rounds
	acting int // acts that are being written
}

// runEvent plays the event of a seed, and returns a digest of its history and what must not happen
// and did.
func runEvent(t *testing.T, seed uint64) (digest string, err error) {
	t.Helper()
	return runEventOf(t, seed, newEventPlan)
}

// runEventOf is runEvent with the plan that is drawn by a function.
func runEventOf(
	t *testing.T, seed uint64, draw func(*rand.Rand) *eventPlan,
) (digest string, err error) {
	t.Helper()
	var r *Result
	synctest.Test(t, func(*testing.T) {
		w := newWorld(seed)
		w.storage.usual = usualAccess
		p := draw(w.rand("event"))
		one := &eventWorld{World: w, plan: p, judge: newEventJudge(w, p), well: make(chan struct{})}
		w.history.add("plan", "%+v", *p)
		w.play(func() {
			w.act("operator", one.operate)
			for i, conduct := range p.conducts {
				w.act(fmt.Sprintf("%s%02d", conduct, i),
					(&team{eventWorld: one, conduct: conduct, number: i}).play)
			}
		})
		r = w.result()
	})
	if *oneSeed > 0 && testing.Verbose() {
		fmt.Print(r.History)
	}
	if len(r.Violations) > 0 {
		err = errors.New(strings.Join(r.Violations, "\n\t"))
	}
	return r.Digest, err
}

// now returns the event of the server that runs, or nil.
func (w *eventWorld) now() (*event.Event, *rounds.Rounds) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.event, w.rounds
}

// set sets the event of the server that runs.
func (w *eventWorld) set(e *event.Event, r *rounds.Rounds) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.event, w.rounds = e, r
}

// does calls something that writes an act, and reports whether the server that runs did it.
func (w *eventWorld) does(act func(*event.Event) error) bool {
	e, _ := w.now()
	if e == nil {
		return false
	}
	w.acts(1)
	defer w.acts(-1)
	return act(e) == nil
}

func (w *eventWorld) acts(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acting += n
}

// quiet reports whether no act is being written.
func (w *eventWorld) quiet() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.acting == 0
}

// serve runs a server until it crashes or the event is over.
func (w *eventWorld) serve(a *actor, g *generation, last bool) {
	defer g.cancel()
	defer func() {
		if last {
			a.net.close()
		}
	}()
	e := w.open(a, g)
	if e == nil { // it has not run
		if !g.gone() {
			g.loseDisk(false)
		}
		_ = g.listener.Close()
		return
	}
	defer e.Close()
	w.judge.opened(a, e)
	rounds := rounds.New(e, w.plan.rounds(g, a.rng.Uint64()))
	o := g.options(&w.plan.plan, a)
	o.Recordings.Dir, o.Recordings.Complain, o.Watchers = e.RecordingsDir(), nil, []match.Watcher{w.judge.watcher()}
	h, err := rounds.Open(o)
	if err != nil {
		a.violate("the server does not open: %v", err)
		return
	}
	g.host = h
	if !g.gone() {
		w.set(e, rounds)
		a.act(g.name+"inspector", func(a *actor) { w.judge.inspect(a, g, e, rounds) })
	}
	rounds.Run(g.ctx)
	h.Shutdown(g.ctx)
	if last {
		whole := !a.storage.inTrouble() && !w.judge.late()
		<-w.well
		w.judge.over(a, e, whole)
	}
}

// open opens the event, again while the disk is in trouble. It returns nil if the server crashes
// first.
func (w *eventWorld) open(a *actor, g *generation) *event.Event {
	for {
		e, err := event.Open(w.plan.options(g, a.entropy("secret")))
		switch {
		case err == nil:
			return e
		case g.gone() || a.closing():
			return nil
		case !a.storage.inTrouble() && !w.judge.late():
			a.violate("the event does not open: %v", err)
			return nil
		}
		a.note("cannot open the event: %v", err)
		a.sleep(between(a.rng, 100*time.Millisecond, time.Second))
	}
}

// foundEvents are the seeds in which faults of events showed.
var foundEvents = []struct {
	seed uint64
	what string
}{
	{630, "the rest of a line that could not be written followed a shorter one"},
	{2651, "a result that could not be written counted once the event was opened again"},
	{536401968569, "a result was written no more while the disk took data again, and its match " +
		"never ended"},
	{232607458187, "a result that an earlier program could not sync was lost with the power, " +
		"although a later round had followed it"},
	{250, "an event did not go on while the disk was full"},
}

// Faults that simulated events found do not come back.
func TestFoundEvents(t *testing.T) {
	thorough.Long(t)
	for _, f := range foundEvents {
		if _, err := runEvent(t, f.seed); err != nil {
			t.Errorf("seed %d, in which %s: %v", f.seed, f.what, err)
		}
	}
}

// eventTime is the time that an ordinary test run begins more events.
const eventTime = time.Second

// Events go on as before whatever becomes of their teams, of their server and of its disk: see
// [eventJudge]. More seeds:
//
//	go test -count=1 -timeout 0 -run TestEvents -v ./server/sim -args -seeds 1..10000
func TestEvents(t *testing.T) {
	thorough.Long(t)
	forSeeds(t, eventTime, runEvent)
}

// returningTime is the time that an ordinary test run begins more events whose bots connect again.
const returningTime = time.Second / 2

// No turn waits for a bot that has connected again and answered.
func TestReturningBots(t *testing.T) {
	thorough.Long(t)
	forSeeds(t, returningTime, func(t *testing.T, seed uint64) (string, error) {
		return runEventOf(t,
			seed, newReturningPlan)
	})
}
