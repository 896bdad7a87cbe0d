package rating

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Blocks holds the blocks of a contest while it is played, in little memory: that of its distinct
// results, of which four bots have 75.
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
// It takes a time in proportion to the matches times the samples.
func (b *Blocks) Fit(o Options) *Table {
	l := b.likelihood
	s := newSolver(l, o.VirtualDraws)
	t := &Table{strengths: make([]float64, l.bots), blocks: slices.Clone(b.played)}
	counts := make([]float64, len(l.patterns))
	for i := range l.units {
		l.count(counts, i)
	}
	s.solve(t.strengths, counts, tableTolerance)
	if b.Len() == 0 {
		return t
	}
	pcg := rand.NewPCG(o.Seed, uint64(b.Len()))
	for range o.Resamples {
		clear(counts)
		for range l.units {
			drawn, _ := bits.Mul64(pcg.Uint64(), uint64(len(l.units)))
			l.count(counts, int(drawn))
		}
		sample := slices.Clone(t.strengths)
		s.solve(sample, counts, sampleTolerance)
		t.samples = append(t.samples, sample)
	}
	return t
}
