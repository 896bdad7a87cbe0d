package bots

import "math/bits"

// safest keeps of some steps those that a character can survive, if possible
// without having to go on at once; when there are none, those after which it
// lives longest. Nothing harms special characters.
func (f *forecast) safest(b *board, i int, steps []step) []step {
	if b.immune(b.characters[i].color) {
		return steps
	}
	best, kept := 0, steps[:0]
	for _, s := range steps {
		n := f.prospect(b, s.to)
		if n > best {
			best, kept = n, kept[:0]
		}
		if n == best {
			kept = append(kept, s)
		}
	}
	return kept
}

// prospect orders cells by what whoever goes there now has to expect.
func (f *forecast) prospect(b *board, c cell) int {
	const calm, hurried, crowded = horizon + 3, horizon + 2, horizon + 1
	switch {
	case !f.safe(c):
		return min(bits.TrailingZeros32(f.blast[c]), horizon)
	case !f.hurries(c):
		return calm
	case f.exit(b, c, 1<<2):
		return hurried
	}
	return crowded
}

// hurries reports whether whoever stands on c after the coming turn has to go
// on in the next.
func (f *forecast) hurries(c cell) bool { return f.last > 1 && f.hope[c]&(1<<2) == 0 }

// keep keeps others out of the way of a character that has gone to c and has to
// go on from there at once, if it has hardly any choice. If it has none, those
// in its way are to give way.
func (f *forecast) keep(b *board, c cell) {
	if !f.hurries(c) {
		return
	}
	free := 0
	for _, n := range b.next[c] {
		if n == none || f.hope[n]&(1<<2) == 0 || f.kept[n] || !f.opened(b, n, 2) {
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
		if n != none && f.hope[n]&(1<<2) != 0 && f.opened(b, n, 2) && (b.living[n] < 0 || free == 0) {
			f.kept[n] = true
		}
	}
}

// spares reports whether all our characters can survive the bomb that makes f
// out of before: the one that drops it has to have a free way out, and the
// others must not be in its reach, so that they do not get in each other's way.
func (f *forecast) spares(b *board, o *orders, dropper int, before *forecast) bool {
	for i, ch := range b.characters {
		if !ch.alive || !b.mine(ch.color) || b.immune(ch.color) {
			continue
		}
		switch {
		case i == dropper:
			if !f.safe(ch.at) || f.hurries(ch.at) && !f.exit(b, ch.at, 1<<2) {
				return false
			}
		case f.blast[ch.at] != before.blast[ch.at]:
			return false
		case !f.safe(ch.at) && (o.given[i] || !f.exit(b, ch.at, 1<<1)):
			return false
		}
	}
	return true
}

// exit reports whether a neighbour of c, free and kept for nobody, has that hope.
func (f *forecast) exit(b *board, c cell, hope uint32) bool {
	for _, n := range b.next[c] {
		if b.free(n) && !f.kept[n] && f.hope[n]&hope != 0 {
			return true
		}
	}
	return false
}
