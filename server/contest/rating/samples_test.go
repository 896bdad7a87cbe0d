package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// tables returns blocks of many bots at tables of four, some results with a tie.
func tables(bots, blocks int) []Block {
	rng := rand.New(rand.NewPCG(5, uint64(bots)))
	list := make([]Block, blocks)
	for b := range list {
		table := rng.Perm(bots)[:4]
		for range table {
			at := make(map[int]float64, len(table))
			for _, bot := range table {
				at[bot] = rng.ExpFloat64() / math.Exp(float64(bot)/20)
			}
			r := inOrder(slices.SortedFunc(slices.Values(table), func(a, b int) int {
				if at[a] < at[b] {
					return -1
				}
				return 1
			})...)
			if rng.IntN(8) == 0 {
				r.Ranks[1] = 1
			}
			list[b] = append(list[b], r)
		}
	}
	return list
}

// The strengths of samples are those that Newton's method finds for each of them: the steps with
// the curvature of all results end at the same place.
func TestSamples(t *testing.T) {
	thorough.Long(t)
	for _, blocks := range [][]Block{
		tables(40, 12), tables(40, 100), tables(40, 2000), tables(5, 3), tables(5, 60),
		draw(rand.New(rand.NewPCG(1, 2)), []float64{3, 0, -3}, 20),
		{{inOrder(0, 1)}, {inOrder(0, 1)}},
	} {
		bots := 0
		for _, block := range blocks {
			for _, r := range block {
				bots = max(bots, slices.Max(r.Bots)+1)
			}
		}
		l := newLikelihood(bots, blocks)
		s := newSolver(l, TableDraws)
		all := make([]float64, bots)
		for i := range l.units {
			s.add(i, 1)
		}
		s.find()
		s.solve(all)
		copy(s.factor, s.hessian)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			s.clear()
			for range l.units {
				s.add(rng.IntN(len(l.units)), 1)
			}
			s.find()
			got, want := slices.Clone(all), slices.Clone(all)
			s.improve(got)
			s.solve(want)
			compareStrengths(t, fmt.Sprintf("a sample of %d blocks of %d bots", len(blocks), bots), got,
				want, 1e-9)
		}
	}
}

// BenchmarkFit makes tables, whose samples take nearly all of the time.
func BenchmarkFit(b *testing.B) {
	for _, size := range [][2]int{
		{4, 100}, {4, 10_000}, {40, 200}, {40, 1000}, {40, 5000}, {40, 25_000},
	} {
		b.Run(fmt.Sprintf("bots=%d/blocks=%d", size[0], size[1]), func(b *testing.B) {
			list := NewBlocks(size[0])
			for _, block := range tables(size[0], size[1]) {
				list.Add(block)
			}
			for b.Loop() {
				list.Fit(Options{VirtualDraws: TableDraws, Resamples: TableResamples})
			}
		})
	}
}
