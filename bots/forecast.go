package bots

import "github.com/hexarena/hexarena/engine/hexgrid"

// horizon is the number of turns that a forecast covers; a bomb that explodes later counts as a
// wall. It must be smaller than the number of bits of a mask.
const horizon = 24

// forecast predicts which cells explode when, and from where a character can escape. Turn 1 of a
// forecast is the turn that is being decided. Chain reactions are included; future bombs are not
// guessed.
type forecast struct {
	crowded bool // count characters as walls too, to be on the safe side

	last     int      // the last turn up to the horizon in which something explodes
	blast    []uint32 // bit t: the cell explodes in turn t
	hope     []uint32 // bit t: a character there after turn t can survive all known bombs
	reserved []bool   // cells that a character needs in turn 2: no way out for others
	when     []int32  // turn in which the i-th bomb of the board explodes, chain reactions included
	order    []int32  // bombs that are about to explode
}

// compute forecasts from the state of b.
func (f *forecast) compute(b *board) {
	if len(f.blast) != len(b.coords) {
		f.blast = make([]uint32, len(b.coords))
		f.hope = make([]uint32, len(b.coords))
	}
	clear(f.blast)
	f.reserved = unset(f.reserved, len(b.coords))
	f.explode(b)
	f.escape(b)
}

// explode sets blast, when and last.
func (f *forecast) explode(b *board) {
	f.when = f.when[:0]
	for _, bo := range b.bombs {
		f.when = append(f.when, max(bo.delay, 1))
	}
	f.last = 0
	for turn := int32(1); turn <= horizon; turn++ {
		f.order = f.order[:0]
		for i := range b.bombs {
			if f.when[i] == turn {
				f.order = append(f.order, int32(i))
			}
		}
		for head := 0; head < len(f.order); head++ {
			f.burst(b, b.bombs[f.order[head]], turn)
			f.last = int(turn)
		}
	}
}

// burst marks the cells that bo covers and lights the bombs there.
func (f *forecast) burst(b *board, bo bomb, turn int32) {
	f.blast[bo.at] |= 1 << turn
	for d := range hexgrid.NumDirs {
		c := b.next[bo.at][d]
		for k := int32(0); k < bo.reach && c != none; k++ {
			f.blast[c] |= 1 << turn
			if other := b.lying[c]; other >= 0 && f.when[other] > turn {
				f.when[other] = turn
				f.order = append(f.order, other)
			}
			c = b.next[c][d]
		}
	}
}

// escape sets hope, backwards from the last explosion to turn 1.
func (f *forecast) escape(b *board) {
	end := uint32(1) << (f.last + 1)
	for c := range f.hope {
		f.hope[c] = end // every cell is safe after the last explosion
	}
	for turn := f.last; turn >= 1; turn-- {
		now, later := uint32(1)<<turn, uint32(1)<<(turn+1)
		for c := range f.hope {
			if f.blast[c]&now == 0 && (f.hope[c]&later != 0 || f.leadsToHope(b, cell(c), later, turn+1)) {
				f.hope[c] |= now
			}
		}
	}
}

// leadsToHope reports whether a step in that turn leads from c to a cell with that hope.
func (f *forecast) leadsToHope(b *board, c cell, hope uint32, turn int) bool {
	for _, n := range b.next[c] {
		if n != none && f.hope[n]&hope != 0 && f.isOpen(b, n, turn) && (!f.crowded || b.living[n] < 0) {
			return true
		}
	}
	return false
}

// isOpen reports whether no bomb blocks c at the beginning of turn.
func (f *forecast) isOpen(b *board, c cell, turn int) bool {
	i := b.lying[c]
	return i < 0 || f.when[i] < int32(turn)
}

// safe reports whether a character on c after the coming turn can survive.
func (f *forecast) safe(c cell) bool { return f.hope[c]&2 != 0 }
