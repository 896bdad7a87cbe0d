package bots

import (
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// far is the distance of cells that cannot be reached.
const far int32 = 1 << 29

// paths measures distances by breadth-first search and keeps its memory from
// one search to the next. Bombs close cells; characters do not, because they
// move on.
type paths struct {
	dist  []int32 // steps from the nearest source, far where none leads
	via   []int32 // which source that is, in the order in which they were added
	queue []cell
	added int32
}

// restart forgets the last search.
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

// walk visits the cells that can be reached, nearest first, until visit says
// no. Only what lies nearer than the last cell is sure to be measured.
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

// spread measures the way from the sources to all cells.
func (p *paths) spread(b *board) {
	p.walk(b, func(cell) bool { return true })
}

// nearest is, of the cells that are worth something, one of those nearest to
// the sources: the one that is worth most. It is none when there is none.
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

// step is one thing that a character can do with its turn: move to a
// neighbour, or stay.
type step struct {
	to   cell
	dir  hexgrid.Dir
	stay bool
}

// steps appends what is open to the i-th character: the free neighbours, then
// staying.
func (b *board) steps(dst []step, i int) []step {
	at := b.characters[i].at
	for _, d := range hexgrid.Dirs {
		if to := b.next[at][d]; b.free(to) {
			dst = append(dst, step{to: to, dir: d})
		}
	}
	return append(dst, step{to: at, stay: true})
}

// shuffle brings steps into any order, so that the first of equally good ones
// is not always in the same direction.
func shuffle(steps []step, rng *rand.Rand) {
	rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
}
