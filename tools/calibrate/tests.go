package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// tested are the hypotheses of the sequential tests, those of fishtest's usual ones tenfold.
var tested = sprt.Hypotheses{NElo0: 0, NElo1: 20, Alpha: 0.05, Beta: 0.05}

var seats = []int{2, 3, 4, 6}

// tests measures how often a sequential test is right if either hypothesis is true.
func (c *job) tests(ctx context.Context) error {
	fmt.Fprintf(c.table, "sequential tests that are right\tseats\tmatches\tshare\tpromised\t\n")
	for _, n := range seats {
		for i, nelo := range []float64{tested.NElo0, tested.NElo1} {
			m, err := c.challenger(ctx, n, nelo)
			if err != nil {
				return err
			}
			right, matches, err := c.test(ctx, c.trials, m, model.block, n, tested,
				sprt.Accepted0+sprt.Verdict(i), uint64(3000+10*n+i))
			if err != nil {
				return err
			}
			fmt.Fprintf(c.table, "normalised Elo %v, of %v and %v\t%d\t%.0f", nelo, tested.NElo0,
				tested.NElo1, n, matches)
			c.check(c.table, right, 0.94, 1)
			c.Report("tests: %d seats, normalised Elo %v: %.4f", n, nelo, right)
		}
	}
	return nil
}

// test returns the share of this many tests that end with the verdict want, and the mean number of
// matches that they take. Draw draws a block with the given number of matches.
func (c *job) test(
	ctx context.Context, trials int, m model, draw func(model, *rand.Rand) rating.Block, matches int,
	h sprt.Hypotheses, want sprt.Verdict, stream uint64,
) (right, mean float64, err error) {
	var wanted, total atomic.Int64
	err = c.each(ctx, trials, stream, func(_ int, rng *rand.Rand) {
		t, err := sprt.New(h, score.Most(len(m.strengths), matches), matches)
		if err != nil {
			panic(err) // the hypotheses are constants
		}
		for t.Verdict() == sprt.Undecided {
			t.Add(halves(draw(m, rng)))
			total.Add(int64(matches))
		}
		if t.Verdict() == want {
			wanted.Add(1)
		}
	})
	return float64(wanted.Load()) / float64(trials), float64(total.Load()) / float64(trials), err
}

// challenger returns a model of n seats in which bot 0 has the given normalised Elo against the
// others, which are equal. It searches the strength, with the same random numbers for each.
func (c *job) challenger(ctx context.Context, n int, nelo float64) (model, error) {
	m := model{make([]float64, n), c.sigma}
	if nelo == 0 {
		return m, nil
	}
	low, high := 0.0, 1.0
	for range 20 {
		m.strengths[0] = (low + high) / 2
		d, err := c.moments(ctx, m, model.block, uint64(n))
		if err != nil {
			return m, err
		}
		if rating.PerDeviation*(d.mean-0.5)/d.deviation < nelo {
			low = m.strengths[0]
		} else {
			high = m.strengths[0]
		}
	}
	return m, nil
}

// spread is the mean of bot 0's score and its deviation for a match, which of a block is that
// of the mean times the square root of the matches.
type spread struct{ mean, deviation float64 }

// moments estimates the spread. The mean is that of the probabilities with which bot 0 beats each
// other bot given the seats' effects, which vary less than results.
func (c *job) moments(
	ctx context.Context, m model, draw func(model, *rand.Rand) rating.Block, stream uint64,
) (spread, error) {
	n := len(m.strengths)
	means, scores := make([]float64, c.truth), make([]float64, c.truth)
	var matches atomic.Int64
	err := c.each(ctx, c.truth, 2000+stream, func(i int, rng *rand.Rand) {
		means[i] = m.expected(rng)
		block := draw(m, rng)
		scores[i] = float64(halves(block)) / float64(2*(n-1)*len(block))
		matches.Store(int64(len(block)))
	})
	mean, total, squares := 0.0, 0.0, 0.0
	for i, s := range scores {
		mean += means[i] / float64(c.truth)
		total += s / float64(c.truth)
		squares += s * s / float64(c.truth)
	}
	return spread{mean, math.Sqrt((squares - total*total) * float64(matches.Load()))}, err
}

// expected draws effects and returns the expected score of bot 0 in a block.
func (m model) expected(rng *rand.Rand) float64 {
	effects := m.effects(rng)
	n, sum := len(effects), 0.0
	for turn := range n {
		for i := 1; i < n; i++ {
			ahead := m.strengths[0] + effects[turn] - m.strengths[i] - effects[(turn+i)%n]
			sum += 1 / (1 + math.Exp(-ahead))
		}
	}
	return sum / float64(n*(n-1))
}
