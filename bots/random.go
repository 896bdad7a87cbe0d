package bots

import (
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// random drops a bomb once in bombEvery turns and otherwise moves to a random free
// neighbour. It ignores everything else.
type random struct{}

const bombEvery = 10

func (*random) think(b *board, o *orders, rng *rand.Rand) {
	for i := range b.characters {
		if !o.ready(i) {
			continue
		}
		if b.armed(i) && rng.IntN(bombEvery) == 0 {
			o.bomb(i, bombValue(b, rng), bombValue(b, rng))
			continue
		}
		if d, ok := anyStep(b, b.characters[i].at, rng); ok {
			o.move(i, d)
		}
	}
}

// bombValue returns a random valid range or delay.
func bombValue(b *board, rng *rand.Rand) int32 {
	return minBomb + rng.Int32N(b.maxBomb()-minBomb+1)
}

// anyStep returns a random direction with a free cell; ok is false if no such cell was found.
func anyStep(b *board, from cell, rng *rand.Rand) (d hexgrid.Dir, ok bool) {
	seen := 0
	for _, dir := range hexgrid.Dirs {
		if b.free(b.next[from][dir]) {
			if seen++; rng.IntN(seen) == 0 {
				d, ok = dir, true
			}
		}
	}
	return d, ok
}
