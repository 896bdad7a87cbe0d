package sim

import (
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/session"
)

// longWorlds is the number of worlds of which one is long.
const longWorlds = 500

// newPlan draws a plan, from a second random stream whether it is another game that is played,
// and whether built-in bots take part.
func newPlan(rng, others *rand.Rand) *plan {
	p := drawPlan(rng)
	switch {
	case chance(others, duelWorlds):
		p.challenge(others)
	case p.rooms == 1 && chance(others, builtinWorlds):
		p.enlist(others)
	case chance(others, logicWorlds):
		p.delegate(others)
	case chance(others, startedWorlds):
		p.launch(others)
	}
	return p
}

// startedWorlds is the number of the other worlds of which one has bots that the server starts.
const startedWorlds = 5

// launch starts bots by the server, in the seats of others.
func (p *plan) launch(rng *rand.Rand) {
	conducts := []string{
		"honest", "honest", "honest", "slow", "leaving", "crashing", "early", "never", "missing",
		"unsteady", "stubborn",
	}
	seats := 1 + rng.IntN(min(4, p.players))
	if p.players <= mostBots && chance(rng, 4) {
		p.players = seats // so that other clients get none
	}
	for range p.rooms * seats {
		p.started = append(p.started, conducts[rng.IntN(len(conducts))])
	}
	for range p.started {
		switch {
		case len(p.others) > 0:
			p.others = p.others[1:]
		case p.honest > 0:
			p.honest--
		}
	}
	p.tokens = false // which started bots would need, too
	p.traced = !chance(rng, 4)
	p.startTime = between(rng, 1500*time.Millisecond, 5*time.Second)
	if p.rooms == 1 && chance(rng, 3) {
		p.once, p.strict, p.needAll = true, chance(rng, 2), chance(rng, 4)
		p.autostart = false // or the match would be started by both, at the same instant
		p.patience += 10 * time.Second
	}
	p.keep(rng)
}

// keep draws which started bots use their standard input and output, and how many go on to run
// between matches.
func (p *plan) keep(rng *rand.Rand) {
	for range p.started {
		p.stdio = append(p.stdio, chance(rng, 3))
	}
	if chance(rng, 2) {
		return
	}
	p.staying = 1 + rng.IntN(1+rng.IntN(len(p.started)+1)) // mostly fewer than there are
	if p.rooms > 1 {
		return
	}
	p.matches = max(2, p.matches)
	if p.players <= mostBots {
		p.bound()
	}
}

// builtinWorlds is the number of worlds of hexabomb of which one has built-in bots.
const builtinWorlds = 6

// enlist adds built-in bots, in the seats of others.
func (p *plan) enlist(rng *rand.Rand) {
	for range 1 + rng.IntN(min(3, p.players)) {
		p.builtins = append(p.builtins, []string{"painter", "random"}[rng.IntN(2)])
	}
	p.others = p.others[min(len(p.builtins), len(p.others)):]
	p.floor = max(p.floor, between(rng, 1, time.Millisecond)) // or they play alone in no time
}

// drawPlan draws a plan of matches of hexabomb between clients.
func drawPlan(rng *rand.Rand) *plan {
	p := &plan{
		players: 5 + rng.IntN(5), visus: rng.IntN(3), radius: 2 + rng.IntN(2), turns: 5 + rng.IntN(11),
		matches: 1 + rng.IntN(2), rooms: 1,
		patience: between(rng, 3*time.Second, 8*time.Second), autostart: !chance(rng, 4),
		limits: limits.PortLimits{Connections: 100, PerAddress: 8},
	}
	p.matches += rng.IntN(2)
	if chance(rng, longWorlds) {
		p.players, p.radius, p.matches = longBots, 4, 1
	} else if chance(rng, 5) {
		p.rooms, p.matches = 2, 1
		p.players = 3 + rng.IntN(mostBots/2-2)
	} else if chance(rng, 5) { // so that all players may be gone at the same time
		p.players = 1 + rng.IntN(3)
	}
	switch rng.IntN(3) {
	case 0:
		p.delay = between(rng, turnTime, 2*turnTime)
	case 1:
		p.limit = between(rng, turnTime, 4*turnTime)
	}
	if chance(rng, 2) {
		p.grace = between(rng, time.Second, 10*time.Second)
	}
	if chance(rng, 3) {
		p.quits, p.drains = between(rng, 0, 10*time.Second), chance(rng, 3)
	}
	if chance(rng, 2) {
		p.writing = between(rng, 500*time.Millisecond, 5*time.Second)
	}
	if chance(rng, 2) {
		p.linger = between(rng, 0, 5*time.Second)
	}
	if chance(rng, 2) {
		p.options.Player = session.Allowance{Size: 4 << 10, Rate: 100, Depth: 20}
		p.options.Visualization = p.options.Player
	}
	p.tokens = chance(rng, 3)
	p.durable = recording.Durability(rng.IntN(3))
	if chance(rng, 4) {
		p.crashes = 1 + rng.IntN(2)
	}
	if p.rooms == 1 && chance(rng, 5) {
		p.trouble = drawTrouble(rng)
	}
	if p.players <= mostBots {
		p.bound()
	}
	p.invite(rng)
	return p
}

// invite draws who takes part. A bot that never answers would stop a match without a limit.
func (p *plan) invite(rng *rand.Rand) {
	conducts := []string{"slow", "garbled", "flooding", "leaving", "leaving"}
	if p.delay > 0 || p.limit > 0 {
		conducts = append(conducts, "silent", "deaf")
	}
	for range p.players * p.rooms {
		if chance(rng, 2) {
			p.honest++
		} else {
			p.others = append(p.others, conducts[rng.IntN(len(conducts))])
		}
	}
	for range p.visus * p.rooms {
		p.viewers = append(p.viewers,
			[]string{"attentive", "slow", "silent", "deaf", "leaving"}[rng.IntN(5)])
	}
	if p.page = chance(rng, 2); p.page {
		// A separate goroutine writes to a WebSocket: of turns of one instant,
		// chance decides which is sent.
		p.floor = between(rng, 1, time.Millisecond)
		p.browsers = rng.IntN(4)
	}
	if chance(rng, 3) {
		p.strangers = 1 + rng.IntN(12)
	}
}
