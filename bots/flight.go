package bots

import "math/rand/v2"

// sight is the number of steps within which prey looks for room.
const sight = 5

// flight moves the prey in sudden death: each character goes where it has the most room that no
// special character can reach first.
type flight struct {
	hunters paths
	own     paths
	options []step
}

func (f *flight) run(b *board, o *orders, ahead *forecast, rng *rand.Rand) {
	f.hunters.restart(b)
	for _, ch := range b.characters {
		if ch.alive && b.immune(ch.color) {
			f.hunters.from(ch.at)
		}
	}
	f.hunters.spread(b)
	for i := range b.characters {
		if !o.ready(i) {
			continue
		}
		f.options = ahead.safest(b, i, b.steps(f.options[:0], i))
		best, most := step{stay: true}, -1
		for _, s := range f.options {
			// The random bits come last, so that they only break ties.
			if v := f.room(b, s.to)<<8 | int(rng.Uint32N(1<<8)); v > most {
				best, most = s, v
			}
		}
		o.take(i, best)
	}
}

// room counts the cells near c that can be reached from c before a special character does, and
// adds the distance to the nearest special character.
func (f *flight) room(b *board, c cell) int {
	n := 0
	f.own.restart(b)
	f.own.from(c)
	f.own.walk(b, func(to cell) bool {
		if f.own.dist[to] > sight {
			return false
		}
		if f.own.dist[to]+1 < f.hunters.dist[to] {
			n++
		}
		return true
	})
	return n + int(min(f.hunters.dist[c], 2*sight))
}
