package bots

import "math/bits"

// safest returns the steps that a character can survive, preferably those after which it
// need not move on at once. Without such steps it returns those after which the character
// lives longest. Special characters survive everything.
func (f *forecast) safest(b *board, i int, steps []step) []step {
	if b.immune(b.characters[i].color) {
		return steps
	}
	best, kept := 0, steps[:0]
	for _, s := range steps {
		n := f.chances(b, s.to)
		if n > best {
			best, kept = n, kept[:0]
		}
		if n == best {
			kept = append(kept, s)
		}
	}
	return kept
}

// chances rates a cell by the chances of a character that moves there now.
func (f *forecast) chances(b *board, c cell) int {
	const calm, hurried, crowded = horizon + 3, horizon + 2, horizon + 1
	switch {
	case !f.safe(c):
		return min(bits.TrailingZeros32(f.blast[c]), horizon)
	case !f.mustMoveOn(c):
		return calm
	case f.hasExit(b, c, 1<<2):
		return hurried
	}
	return crowded
}

// mustMoveOn reports whether a character on c after the coming turn must move on in the next
// one.
func (f *forecast) mustMoveOn(c cell) bool { return f.last > 1 && f.hope[c]&(1<<2) == 0 }

// reserve reserves cells for a character that has moved to c and must move on at once, if it has
// hardly any choice. If it has none, the characters in its way are to make room.
func (f *forecast) reserve(b *board, c cell) {
	if !f.mustMoveOn(c) {
		return
	}
	free := 0
	for _, n := range b.next[c] {
		if n == none || f.hope[n]&(1<<2) == 0 || f.reserved[n] || !f.isOpen(b, n, 2) {
			continue
		}
		if b.living[n] < 0 {
			free++
		}
	}
	if free > 2 {
		return
	}
	for _, n := range b.next[c] {
		if n != none && f.hope[n]&(1<<2) != 0 && f.isOpen(b, n, 2) && (b.living[n] < 0 || free == 0) {
			f.reserved[n] = true
		}
	}
}

// allSurvive reports whether all our characters can survive the bomb by which f differs from
// before. The one that drops it needs a free way out, and the others must not be in its reach,
// so that they do not block each other.
func (f *forecast) allSurvive(b *board, o *orders, dropper int, before *forecast) bool {
	for i, ch := range b.characters {
		if !ch.alive || !b.mine(ch.color) || b.immune(ch.color) {
			continue
		}
		switch {
		case i == dropper:
			if !f.safe(ch.at) || f.mustMoveOn(ch.at) && !f.hasExit(b, ch.at, 1<<2) {
				return false
			}
		case f.blast[ch.at] != before.blast[ch.at]:
			return false
		case !f.safe(ch.at) && (o.given[i] || !f.hasExit(b, ch.at, 1<<1)):
			return false
		}
	}
	return true
}

// hasExit reports whether c has a free neighbour with that hope that is not reserved.
func (f *forecast) hasExit(b *board, c cell, hope uint32) bool {
	for _, n := range b.next[c] {
		if b.free(n) && !f.reserved[n] && f.hope[n]&hope != 0 {
			return true
		}
	}
	return false
}
