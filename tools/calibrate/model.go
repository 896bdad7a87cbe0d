package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

const elo = rating.PerNat

// model draws results: bots of these strengths, in natural logarithms, play on seats whose
// effects have the deviation sigma and are drawn for each block, which has one map and seed.
type model struct {
	strengths []float64
	sigma     float64
}

// block draws a block: each bot plays once in each seat.
func (m model) block(rng *rand.Rand) rating.Block {
	effects := m.effects(rng)
	block := make(rating.Block, len(m.strengths))
	for turn := range block {
		block[turn] = m.match(rng, effects, turn)
	}
	return block
}

// single draws a block of one match, in which the seats are drawn.
func (m model) single(rng *rand.Rand) rating.Block {
	return rating.Block{m.match(rng, m.effects(rng), rng.IntN(len(m.strengths)))}
}

func (m model) effects(rng *rand.Rand) []float64 {
	effects := make([]float64, len(m.strengths))
	for i := range effects {
		effects[i] = m.sigma * rng.NormFloat64()
	}
	return effects
}

// match draws a match in which bot i has seat i+turn. Drawing the winner in proportion to the
// strengths, then the second, and so on, is the same as sorting exponential variables whose rates
// are the strengths.
func (m model) match(rng *rand.Rand, effects []float64, turn int) rating.Result {
	n := len(m.strengths)
	order, at := make([]int, n), make([]float64, n)
	for i, strength := range m.strengths {
		order[i], at[i] = i, rng.ExpFloat64()/math.Exp(strength+effects[(i+turn)%n])
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	r := rating.Result{Bots: make([]int, n), Ranks: make([]int, n)}
	for rank, i := range order {
		r.Bots[i], r.Ranks[i] = i, rank+1
	}
	return r
}

// halves returns the halves of opponents that bot 0 has beaten in a block.
func halves(block rating.Block) int {
	sum := 0
	for _, r := range block {
		sum += score.Halves(r.Ranks, 0)
	}
	return sum
}
