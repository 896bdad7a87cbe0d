package bots

import "github.com/hexarena/hexarena/engine/hexgrid"

// quickTurn is the turn of a forecast in which the quickest bomb that can be dropped now explodes.
const quickTurn = minBomb + 1

// outs counts a character's ways out: the cells where it can be, alive and with hope,
// after a quick bomb has exploded.
type outs struct {
	now, later []cell
	seen       []uint64 // the count and turn in which a cell was last added
	stamp      uint64
	before     []int // by character; 0 for those not counted
}

// of counts the ways out of the i-th character under a forecast.
func (u *outs) of(b *board, f *forecast, i int) int {
	if len(u.seen) != len(b.coords) {
		u.seen = make([]uint64, len(b.coords))
	}
	u.now = append(u.now[:0], b.characters[i].at)
	for turn := 1; turn <= quickTurn; turn++ {
		u.stamp++
		u.later = u.later[:0]
		for _, c := range u.now {
			u.add(f, c, turn)
			for _, n := range b.next[c] {
				if n != none && f.isOpen(b, n, turn) && (turn > 1 || b.living[n] < 0) {
					u.add(f, n, turn)
				}
			}
		}
		u.now, u.later = u.later, u.now
	}
	n := 0
	for _, c := range u.now {
		if f.last < quickTurn || f.hope[c]&(1<<quickTurn) != 0 {
			n++
		}
	}
	return n
}

func (u *outs) add(f *forecast, c cell, turn int) {
	if u.seen[c] != u.stamp && f.blast[c]&(1<<turn) == 0 {
		u.seen[c] = u.stamp
		u.later = append(u.later, c)
	}
}

// count stores the ways out of the enemies that a quick bomb at c with that reach may
// affect, for comparison by taken.
func (u *outs) count(b *board, f *forecast, c cell, reach int) {
	u.before = u.before[:0]
	for i, ch := range b.characters {
		n := 0
		if b.isPrey(i) && hexgrid.Distance(b.coords[c], b.coords[ch.at]) <= reach+quickTurn {
			n = u.of(b, f, i)
		}
		u.before = append(u.before, n)
	}
}

// taken returns the share of their ways out that enemies lose under another forecast: the
// sum over all enemies, in thousandths. An enemy that loses all of them counts twice.
func (u *outs) taken(b *board, f *forecast) int {
	sum := 0
	for i, before := range u.before {
		if before == 0 {
			continue
		}
		after := u.of(b, f, i)
		sum += 1000 * (before - after) / before
		if after == 0 {
			sum += 1000
		}
	}
	return sum
}
