package bots

import (
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// far is the distance of unreachable cells.
const far int32 = 1 << 29

// paths computes distances by breadth-first search and reuses its memory. Bombs block
// cells; characters do not, because they move.
type paths struct {
	dist  []int32 // steps from the nearest source, or far
	via   []int32 // the index of that source, in the order of addition
	queue []cell
	added int32
}

// restart clears the last search.
func (p *paths) restart(b *board) {
	if len(p.dist) != len(b.coords) {
		p.dist = make([]int32, len(b.coords))
		p.via = make([]int32, len(b.coords))
		p.queue = make([]cell, 0, len(b.coords))
	}
	for i := range p.dist {
		p.dist[i] = far
	}
	p.queue, p.added = p.queue[:0], 0
}

// from adds a source.
func (p *paths) from(c cell) {
	if p.dist[c] == far {
		p.dist[c], p.via[c] = 0, p.added
		p.queue = append(p.queue, c)
	}
	p.added++
}

// walk visits the reachable cells, nearest first, until visit returns false. Distances
// are only valid for cells nearer than the last one visited.
func (p *paths) walk(b *board, visit func(cell) bool) {
	for head := 0; head < len(p.queue); head++ {
		c := p.queue[head]
		if !visit(c) {
			return
		}
		for _, n := range b.next[c] {
			if n != none && p.dist[n] == far && b.lying[n] < 0 {
				p.dist[n], p.via[n] = p.dist[c]+1, p.via[c]
				p.queue = append(p.queue, n)
			}
		}
	}
}

// spread computes the distances of all cells from the sources.
func (p *paths) spread(b *board) {
	p.walk(b, func(cell) bool { return true })
}

// nearest returns a cell of positive worth that is nearest to the sources; among equally
// near ones, one with the highest worth. It returns none if there is no such cell.
func (p *paths) nearest(b *board, worth func(cell) int) cell {
	best, most := none, 0
	p.walk(b, func(c cell) bool {
		if best != none && p.dist[c] > p.dist[best] {
			return false
		}
		if w := worth(c); w > most {
			best, most = c, w
		}
		return true
	})
	return best
}

// step is what a character can do in a turn: move to a neighbour, or stay.
type step struct {
	to   cell
	dir  hexgrid.Dir
	stay bool
}

// steps appends the steps of the i-th character: the free neighbours, then staying.
func (b *board) steps(dst []step, i int) []step {
	at := b.characters[i].at
	for _, d := range hexgrid.Dirs {
		if to := b.next[at][d]; b.free(to) {
			dst = append(dst, step{to: to, dir: d})
		}
	}
	return append(dst, step{to: at, stay: true})
}

// shuffle shuffles steps, so that the first of equally good ones is not always in the
// same direction.
func shuffle(steps []step, rng *rand.Rand) {
	rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
}
