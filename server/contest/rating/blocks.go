package rating

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/server/contest/score"
)

// Blocks holds the blocks of a contest while it is played, in little memory: that of the distinct
// sets of bots among which a place was decided, of which four bots have 11 without ties.
type Blocks struct {
	likelihood *likelihood
	played     []int     // the number of blocks that each bot has a match in
	last       []int     // the number of the last of them, from 1
	seats      []int     // that each bot had in all of them
	first      []float64 // the score of each bot in its first block
	varied     []bool    // a later one has another score
	reached    []byte    // 1 at i*bots+j: bot i was before bot j, or level with it, in a match
}

// NewBlocks returns an empty list of blocks. Bots are numbered from 0.
func NewBlocks(bots int) *Blocks {
	return &Blocks{
		newLikelihood(bots, nil), make([]int, bots), make([]int, bots), make([]int, bots),
		make([]float64, bots),
		make([]bool, bots), make([]byte, bots*bots),
	}
}

// Add adds a block. It does not keep the slices.
func (b *Blocks) Add(block Block) {
	b.likelihood.add(block)
	scores := map[int][2]int{} // halves that a bot has in the block, and could have
	for _, r := range block {
		for i, bot := range r.Bots {
			if b.last[bot] != b.Len() {
				b.last[bot] = b.Len()
				b.played[bot]++
			}
			b.seats[bot]++
			s := scores[bot]
			scores[bot] = [2]int{s[0] + score.Halves(r.Ranks, i), s[1] + score.Most(len(r.Ranks), 1)}
			for j, other := range r.Bots {
				if bot != other && r.Ranks[i] <= r.Ranks[j] {
					b.reached[bot*b.likelihood.bots+other] = 1
				}
			}
		}
	}
	for bot, s := range scores {
		share := float64(s[0]) / float64(max(s[1], 1))
		if b.played[bot] == 1 {
			b.first[bot] = share
		}
		b.varied[bot] = b.varied[bot] || share != b.first[bot]
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
	t := &Table{
		strengths: make([]float64, l.bots), blocks: slices.Clone(b.played), seats: slices.Clone(b.seats),
		varied:     slices.Clone(b.varied),
		likelihood: l,
	}
	for i := range l.units {
		s.add(i, 1)
	}
	s.find()
	s.solve(t.strengths)
	copy(s.factor, s.hessian)
	t.stages = slices.Clone(s.stages)
	t.connect(b.reached)
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
		t.parts = append(t.parts, s.parted(sample))
	}
	return t
}
