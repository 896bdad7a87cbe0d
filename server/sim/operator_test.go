package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// operate runs the server again after each crash of the plan, until it has ended by itself.
func (p *plan) operate(a *actor) {
	for number := range p.crashes + 1 {
		g := a.generate(p, number)
		a.act(g.name+"server", func(a *actor) { p.serve(a, g, number == p.crashes) })
		if number == p.crashes {
			return
		}
		a.sleep(between(a.rng, 0, 8*time.Second))
		if a.closing() {
			return
		}
		power := chance(a.rng, 2)
		a.note("the server crashes (power failure: %t)", power)
		g.crash(power, power)
		a.sleep(between(a.rng, 0, 3*time.Second))
	}
}

// serve runs a server for the matches of the plan, and ends it.
func (p *plan) serve(a *actor, g *generation, last bool) {
	h, err := host.Open(g.options(p, a))
	if err != nil {
		a.violate("the server does not open: %v", err)
		return
	}
	g.host = h
	defer g.cancel()
	defer func() {
		if last || a.closing() { // no other one is started
			a.net.close()
		}
	}()
	if p.quits > 0 && last {
		a.act("operator's quit", func(a *actor) {
			a.sleep(p.quits)
			a.close()
			if p.drains {
				a.note("starts no more matches")
				h.Drain()
				return
			}
			a.note("quits")
			g.cancel()
		})
	}
	if p.trouble != (Trouble{}) && last {
		a.act("disk", p.disturb)
	}
	var rooms sync.WaitGroup
	for i := range p.rooms {
		rooms.Add(1)
		a.act(fmt.Sprintf("%sroom%d", g.name, i), func(a *actor) {
			defer rooms.Done()
			p.host(a, g, h, i)
		})
	}
	rooms.Wait()
	a.sleep(between(a.rng, 0, 100*time.Millisecond))
	if g.gone() {
		g.end(h)
		return
	}
	if left := g.computer.running(); len(left) > p.staying {
		a.violate("%v go on after all matches", left)
	}
	a.note("shuts the server down")
	a.close()
	began := time.Now()
	g.end(h)
	// net/http draws how often it looks for connections that are idle
	a.history.at(began, a.name, "the server has ended")
	if left := len(h.Drain()); left > 0 {
		a.violate("%d matches go on after the end", left)
	}
	if left := g.computer.running(); len(left) > 0 {
		a.violate("%q go on after the end", left)
	}
	a.loseDisk(true)
}

// end shuts a server down.
func (g *generation) end(h *host.Host) {
	if g.games != nil {
		g.games.Close()
	}
	h.Shutdown(g.ctx)
}

// disturb troubles the disk for a while.
func (p *plan) disturb(a *actor) {
	a.sleep(between(a.rng, 0, 3*time.Second))
	a.note("the disk is in trouble")
	a.storage.Trouble(p.trouble)
	a.sleep(between(a.rng, 0, 6*time.Second))
	a.storage.calm()
	a.note("the disk is well")
}

// host plays the matches of one room, one after another.
func (p *plan) host(a *actor, g *generation, h *host.Host, room int) {
	for number := range p.matches {
		series, seed := match.Series{Name: a.name, Number: number + 1}, a.rng.Uint64()
		ledger := g.books.open(series, seed)
		seats, bots := p.seats(g, room)
		observer := a.observe(p, fmt.Sprintf("match %d of %s", series.Number, series.Name), g)
		observer.series, observer.seed, observer.listed, observer.stayed = series, seed, len(seats), g.computer.running()
		opened, err := h.Start(g.ctx, host.Spec{
			Game: p.game(), Settings: p.settings(), Autostart: p.autostart, Pace: p.pace, Seed: seed,
			Seats: seats, Bots: bots, Order: p.order(), LeaveEnds: p.duel && p.grace == 0,
			GameTimeout: p.timeout,
			Reconnect:   p.grace, PersonGrace: p.personGrace, Patience: p.patience,
			Labels:   map[string]string{"series": series.Name, "match": fmt.Sprint(series.Number)},
			Watchers: []match.Watcher{observer},
		})
		if errors.Is(err, host.ErrDraining) && p.drains && a.closing() {
			return
		}
		if err != nil {
			a.violate("match %d does not open: %v", number+1, err)
			return
		}
		over := make(chan struct{})
		a.act(fmt.Sprintf("%s's console %d", a.name, number+1), console(observer, opened.Match(), over))
		result := opened.Wait()
		close(over)
		if g.gone() { // how far it came after the crash is chance
			return
		}
		observer.seatsKept(&result, seats)
		ledger.end(result.RecordingErr)
		a.note("match %d ended after %d turns: %v", number+1, result.Steps, result.Err)
		if result.Err != nil {
			unplayable := p.duel && !observer.begun() // with one player
			failed := p.logic != "" &&
				(errors.Is(result.Err, session.ErrLogicFailed) || errors.Is(result.Err, match.ErrNoReferee))
			missing := p.once &&
				(errors.Is(result.Err, seating.ErrNoBot) || errors.Is(result.Err, seating.ErrMissing))
			if !unplayable && !failed && !missing && !errors.Is(result.Err, context.Canceled) &&
				!errors.Is(result.Err, match.ErrNoPlayers) {
				a.violate("match %d of %s failed: %v", number+1, a.name, result.Err)
			}
			if g.ctx.Err() != nil {
				return
			}
		}
		a.sleep(between(a.rng, 0, 200*time.Millisecond))
	}
}
