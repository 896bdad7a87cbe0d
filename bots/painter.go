package bots

import (
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// painter collects cells. Each of its characters walks to the nearest cell worth
// painting, no two to the same one, by steps that known bombs leave time for. It drops a
// bomb where that colours enough cells and all its characters can still escape. In sudden
// death cells do not count, and it runs away.
type painter struct {
	forecast forecast
	trial    forecast // forecast with a bomb under consideration
	paths    paths
	aims     []bool // target cells of our characters
	options  []step
	flight   flight
}

// The number of cells that a bomb must gain: fewer if the character will soon be given
// another bomb that it could not hold.
const (
	enoughCells = 5
	someCells   = 3
)

func (p *painter) think(b *board, o *orders, rng *rand.Rand) {
	p.trial.crowded = true
	p.forecast.compute(b)
	if b.SuddenDeath() && !b.Special() {
		p.flight.run(b, o, &p.forecast, rng)
		return
	}
	for i := range b.characters {
		if o.ready(i) && b.armed(i) {
			p.bomb(b, o, i)
		}
	}
	p.aims = unset(p.aims, len(b.coords))
	for i := p.next(b, o); i >= 0; i = p.next(b, o) {
		p.walk(b, o, i, rng)
	}
}

// revival implements reviver: it returns the cell with the most cells worth painting around it, of
// those from where a character can escape.
func (p *painter) revival(b *board) cell {
	p.forecast.compute(b)
	return bestCell(b, &p.forecast, func(c cell) int { return p.promise(b, c) })
}

// promise rates a cell as the place of a character: by the cells to gain with a bomb there and, of
// equals, by whether it is worth painting.
func (p *painter) promise(b *board, c cell) int { return 2*p.gain(b, c, maxBomb) + p.worth(b, c) }

// bestCell returns the free cell of the highest worth from where a character can escape, or none.
func bestCell(b *board, f *forecast, worth func(cell) int) cell {
	best, most := none, -1
	for i := range b.coords {
		if c := cell(i); b.free(c) && f.safe(c) {
			if w := worth(c); w > most {
				best, most = c, w
			}
		}
	}
	return best
}

// next returns the character that should move next, -1 if all have moved. Characters that
// must escape come first, those with the fewest ways out before others. Characters that
// cannot move wait for others to make room.
func (p *painter) next(b *board, o *orders) int {
	best, least := -1, 0
	for i := range b.characters {
		if !o.ready(i) {
			continue
		}
		urgency := p.urgency(b, i)
		if best < 0 || urgency < least {
			best, least = i, urgency
		}
	}
	return best
}

// urgency returns a small number for characters that must move at once.
func (p *painter) urgency(b *board, i int) int {
	const hurried, calm, hopeless = 10, 11, 12
	ch := b.characters[i]
	switch {
	case b.immune(ch.color) || p.forecast.safe(ch.at) && !p.forecast.mustMoveOn(ch.at):
		return calm
	case p.forecast.safe(ch.at):
		return hurried
	}
	ways := 0
	p.options = b.steps(p.options[:0], i)
	for _, s := range p.options {
		if p.forecast.safe(s.to) {
			ways++
		}
	}
	if ways == 0 {
		return hopeless
	}
	return ways
}

// bomb drops a bomb on the character's cell if it is worth it.
func (p *painter) bomb(b *board, o *orders, i int) {
	enough := enoughCells
	if b.characters[i].bombs > 1 {
		enough = someCells
	}
	for reach := int32(maxBomb); reach >= minBomb; reach-- {
		if p.gain(b, b.characters[i].at, reach) < enough {
			return
		}
		for delay := int32(minBomb); delay <= maxBomb; delay++ {
			b.drop(i, reach, delay)
			p.trial.compute(b)
			b.undrop()
			if p.trial.allSurvive(b, o, i, &p.forecast) {
				o.bomb(i, reach, delay)
				p.forecast.compute(b)
				return
			}
		}
	}
}

// gain counts the cells that a bomb would win for us.
func (p *painter) gain(b *board, at cell, reach int32) int {
	n := p.worth(b, at)
	for d := range hexgrid.NumDirs {
		c := b.next[at][d]
		for k := int32(0); k < reach && c != none; k++ {
			n += p.worth(b, c)
			c = b.next[c][d]
		}
	}
	return n
}

// worth returns 1 for a cell that we should own, 0 for one that we own or that a bomb is
// about to recolour.
func (p *painter) worth(b *board, c cell) int {
	if b.mine(b.color[c]) || p.forecast.blast[c] != 0 {
		return 0
	}
	return 1
}

// walk takes a step towards the nearest cell worth painting.
func (p *painter) walk(b *board, o *orders, i int, rng *rand.Rand) {
	p.options = p.forecast.safest(b, i, p.ways(b, i))
	shuffle(p.options, rng)
	p.paths.restart(b)
	for _, s := range p.options {
		p.paths.from(s.to)
	}
	aim := p.paths.nearest(b, func(c cell) int { return p.appeal(b, c) })
	choice := p.options[0]
	if aim != none {
		p.aims[aim] = true
		choice = p.options[p.paths.via[aim]]
	}
	o.take(i, choice)
	p.forecast.reserve(b, choice.to)
}

// ways returns the steps of a character that keep the ways out of others free, or all
// steps if no step does.
func (p *painter) ways(b *board, i int) []step {
	all := b.steps(p.options[:0], i)
	reserved := func(s step) bool { return p.forecast.reserved[s.to] }
	if left := slices.DeleteFunc(all, reserved); len(left) > 0 {
		return left
	}
	return b.steps(p.options[:0], i)
}

// appeal rates a target cell by how much there is to paint around it.
func (p *painter) appeal(b *board, c cell) int {
	if p.aims[c] || p.worth(b, c) == 0 {
		return 0
	}
	n := 1
	for _, next := range b.next[c] {
		if next != none {
			n += p.worth(b, next)
		}
	}
	return n
}
