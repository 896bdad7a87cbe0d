package rating

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Blocks holds the blocks of a contest while it is played, in little memory: that of the distinct sets
// of bots among which a place was decided, of which four bots have 11 without ties.
type Blocks struct {
	likelihood *likelihood
	played     []int // the number of blocks that each bot has a match in
	last       []int // the number of the last of them, from 1
}

// NewBlocks returns an empty list of blocks. Bots are numbered from 0.
func NewBlocks(bots int) *Blocks {
	return &Blocks{newLikelihood(bots, nil), make([]int, bots), make([]int, bots)}
}

// Add adds a block. It does not keep the slices.
func (b *Blocks) Add(block Block) {
	b.likelihood.add(block)
	for _, r := range block {
		for _, bot := range r.Bots {
			if b.last[bot] != b.Len() {
				b.last[bot] = b.Len()
				b.played[bot]++
			}
		}
	}
}

// Len returns the number of blocks.
func (b *Blocks) Len() int { return b.likelihood.blocks }

// Fit returns the most likely strengths, and samples of them from a bootstrap: whole blocks are
// drawn with replacement, since matches of one block depend on each other.
//
// It takes a time in proportion to the matches times the samples, up to the limits of units and of
// distinct stages.
func (b *Blocks) Fit(o Options) *Table {
	l := b.likelihood
	s := newSolver(l, o.VirtualDraws)
	t := &Table{strengths: make([]float64, l.bots), blocks: slices.Clone(b.played)}
	for i := range l.units {
		s.add(i, 1)
	}
	s.find()
	s.solve(t.strengths)
	copy(s.factor, s.hessian)
	if b.Len() == 0 {
		return t
	}
	pcg := rand.NewPCG(o.Seed, uint64(b.Len()))
	times := make([]int, len(l.units))
	for range o.Resamples {
		clear(times)
		for range l.units {
			drawn, _ := bits.Mul64(pcg.Uint64(), uint64(len(l.units)))
			times[drawn]++
		}
		s.clear()
		for i, n := range times {
			if n > 0 {
				s.add(i, float64(n))
			}
		}
		s.find()
		sample := slices.Clone(t.strengths)
		s.improve(sample)
		t.samples = append(t.samples, sample)
	}
	return t
}
