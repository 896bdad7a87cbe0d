package bots

import (
	"math"
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// hunter kills enemies. Special characters survive explosions and never run out of bombs.
// On a special player's seat, each character does the first of these that makes sense:
//
//   - attack: drop a quick bomb that takes enough ways out from close enemies;
//   - breach: blow up bombs that block every way to the prey;
//   - block: close a narrow place with a bomb of long delay, which cuts the prey off from much of
//     its room;
//   - close in: take the step that leaves the nearest enemy the least room, so that several
//     characters approach from several sides.
//
// On an ordinary seat it is a painter that attacks if that is safe.
type hunter struct {
	forecast forecast
	trial    forecast // forecast with a bomb under consideration
	outs     outs
	region   region
	ours     paths // distances from our characters
	paths    paths // distances from one of them, or from its prey
	options  []step
	painter  painter
}

const (
	worthABomb  = 220 // see outs.taken
	attackReach = 4   // far enough, and it leaves most blocking bombs alone
	minCut      = 6   // cells that a block must cut off
	blockDelay  = 30  // the least delay of a block
)

func (h *hunter) think(b *board, o *orders, rng *rand.Rand) {
	h.forecast.compute(b)
	if !b.Special() {
		h.fight(b, o)
		h.painter.think(b, o, rng)
		return
	}
	for i := range b.characters {
		if !o.ready(i) {
			continue
		}
		prey, found := h.nearest(b, i)
		switch {
		case b.armed(i) &&
			(h.attack(b, o, i) || !found && h.breach(b, o, i) || found && h.block(b, o, i, prey)):
			h.forecast.compute(b)
		case found:
			h.closeIn(b, o, i, prey, rng)
		default:
			h.roam(b, o, i, rng)
		}
	}
}

// revival implements reviver: it returns the cell with the most enemies in reach of a bomb and,
// among such cells, the one that suits a painter best.
func (h *hunter) revival(b *board) cell {
	const prey = 64 // more than a place promises: a bomb covers up to 25 cells
	p := &h.painter
	p.forecast.compute(b)
	return bestCell(b, &p.forecast, func(c cell) int {
		n := p.promise(b, c)
		for d := range hexgrid.NumDirs {
			at := b.next[c][d]
			for k := 0; k < maxBomb && at != none; k++ {
				if who := b.living[at]; who >= 0 && b.isPrey(int(who)) {
					n += prey
				}
				at = b.next[at][d]
			}
		}
		return n
	})
}

// isPrey reports whether the i-th character is an enemy that can be killed.
func (b *board) isPrey(i int) bool {
	ch := b.characters[i]
	return ch.alive && !b.mine(ch.color) && !b.immune(ch.color)
}

// nearest returns the cell of the enemy with the shortest path; found is false if there
// is no path to any.
func (h *hunter) nearest(b *board, i int) (at cell, found bool) {
	h.paths.restart(b)
	h.paths.from(b.characters[i].at)
	at = h.paths.nearest(b, func(c cell) int {
		if who := b.living[c]; who >= 0 && b.isPrey(int(who)) {
			return 1
		}
		return 0
	})
	return at, at != none
}

// attack drops a quick bomb if that takes enough ways out from enemies.
func (h *hunter) attack(b *board, o *orders, i int) bool {
	h.outs.count(b, &h.forecast, b.characters[i].at, attackReach)
	b.drop(i, attackReach, minBomb)
	h.trial.compute(b)
	worth := h.outs.taken(b, &h.trial) >= worthABomb
	b.undrop()
	if worth {
		o.bomb(i, attackReach, minBomb)
	}
	return worth
}

// breach sets off a bomb that will block the way for long. If other bombs explode by
// themselves soon, it waits for them.
func (h *hunter) breach(b *board, o *orders, i int) bool {
	for _, when := range h.forecast.when {
		if when <= quickTurn {
			return false
		}
	}
	for d := range hexgrid.NumDirs {
		for c := b.next[b.characters[i].at][d]; c != none; c = b.next[c][d] {
			if b.lying[c] >= 0 {
				o.bomb(i, maxSpecialBomb, minBomb)
				return true
			}
		}
	}
	return false
}

// block drops a bomb of long delay if that cuts the prey off from enough cells. The delay
// grows with the length of the search that may follow.
func (h *hunter) block(b *board, o *orders, i int, prey cell) bool {
	open := h.region.measure(b, prey, i, none)
	left := h.region.measure(b, prey, i, b.characters[i].at)
	cut := open - left - 1
	if cut < minCut || 2*cut < left || h.locksOut(b) {
		return false
	}
	o.bomb(i, minBomb, int32(max(2*left, blockDelay)))
	return true
}

// locksOut reports whether a bomb would leave one of our characters, including the one
// that drops it, outside the region measured last, without enemies to hunt there.
func (h *hunter) locksOut(b *board) bool {
	alone := false
	for i, ch := range b.characters {
		switch {
		case b.isPrey(i) && !h.region.inside[ch.at]:
			return false
		case ch.alive && b.mine(ch.color) && !h.region.touches(b, ch.at):
			alone = true
		}
	}
	return alone
}

// closeIn takes the step that leaves the prey the least room and, among similar ones, the
// step closest to the prey.
func (h *hunter) closeIn(b *board, o *orders, i int, prey cell, rng *rand.Rand) {
	h.paths.restart(b)
	h.paths.from(prey)
	h.paths.spread(b)
	best, least := step{stay: true}, int32(math.MaxInt32)
	for _, s := range h.steps(b, i, rng) {
		h.ours.restart(b)
		h.ours.from(s.to)
		for k, ch := range b.characters {
			if k != i && ch.alive && b.mine(ch.color) {
				h.ours.from(ch.at)
			}
		}
		h.ours.spread(b)
		if v := h.room() + 2*h.paths.dist[s.to]; v < least {
			best, least = s, v
		}
	}
	o.take(i, best)
}

// room counts the cells that the prey reaches before any of our characters.
func (h *hunter) room() int32 {
	n := int32(0)
	for c, dist := range h.paths.dist {
		if dist < h.ours.dist[c] {
			n++
		}
	}
	return n
}

// roam takes a random step.
func (h *hunter) roam(b *board, o *orders, i int, rng *rand.Rand) {
	o.take(i, h.steps(b, i, rng)[0])
}

// steps returns the steps of the i-th character in random order.
func (h *hunter) steps(b *board, i int, rng *rand.Rand) []step {
	h.options = b.steps(h.options[:0], i)
	shuffle(h.options, rng)
	return h.options
}

// fight drops bombs of an ordinary player that take enough ways out from enemies and
// spare our own characters.
func (h *hunter) fight(b *board, o *orders) {
	for i := range b.characters {
		if !o.ready(i) || !b.armed(i) {
			continue
		}
		h.outs.count(b, &h.forecast, b.characters[i].at, maxBomb)
		b.drop(i, maxBomb, minBomb)
		h.trial.compute(b)
		worth := h.outs.taken(b, &h.trial) >= worthABomb
		if worth {
			h.trial.crowded = true
			h.trial.compute(b)
			h.trial.crowded = false
			worth = h.trial.allSurvive(b, o, i, &h.forecast)
		}
		b.undrop()
		if worth {
			o.bomb(i, maxBomb, minBomb)
			h.forecast.compute(b)
		}
	}
}
