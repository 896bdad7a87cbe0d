package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/hexarena/hexarena/server/contest/rating"
)

// fields lists the bots of the contests whose intervals are checked. Strengths that
// differ by 1.4 in total make the first bot beat the last in four of five matches.
var fields = []struct {
	name      string
	strengths []float64
}{
	{"2 equal bots", []float64{0, 0}},
	{"2 unequal bots", []float64{0.7, -0.7}},
	{"4 equal bots", []float64{0, 0, 0, 0}},
	{"4 unequal bots", []float64{0.7, 0.3, -0.3, -0.7}},
}

// lengths are the numbers of blocks of a contest. Intervals of the shortest are shown and not
// checked: a bootstrap over so few blocks promises less.
var lengths = []int{30, 100, 300}

const checkedLength = 100

// intervals measures how often the 95 % intervals of a table contain the truth: those of the
// strengths, over all bots, and those of the difference between the first and the last bot.
func (c *job) intervals(ctx context.Context) error {
	fmt.Fprintln(c.table, "95 % intervals that contain the truth\tblocks\tshare\tpromised\t")
	for f, field := range fields {
		m := model{field.strengths, c.sigma}
		truth, err := c.limit(ctx, m, uint64(f))
		if err != nil {
			return err
		}
		for l, blocks := range lengths {
			strength, difference, err := c.coverage(ctx, m, truth, blocks, uint64(1000+100*f+l))
			if err != nil {
				return err
			}
			for _, figure := range []struct {
				name  string
				share float64
			}{{"strengths", strength}, {"difference", difference}} {
				fmt.Fprintf(c.table, "%s, %s\t%d", field.name, figure.name, blocks)
				if blocks < checkedLength {
					fmt.Fprintf(c.table, "\t%.4f\t\t\n", figure.share)
				} else {
					c.check(c.table, figure.share, 0.94, 0.96)
				}
			}
			c.Report("intervals: %s, %d blocks: %.4f, %.4f", field.name, blocks, strength, difference)
		}
	}
	return nil
}

// limit returns the table that ever more blocks lead to, which is what a table estimates. Its
// differences are smaller than those that results are drawn with: seats make results depend less
// on the bots.
func (c *job) limit(ctx context.Context, m model, stream uint64) (*rating.Table, error) {
	blocks := make([]rating.Block, c.truth)
	err := c.each(ctx, len(blocks), stream, func(i int, rng *rand.Rand) { blocks[i] = m.block(rng) })
	if m.equal() {
		blocks = nil // all strengths are 0
	}
	return rating.Fit(len(m.strengths), blocks, rating.Options{}), err
}

func (m model) equal() bool {
	for _, s := range m.strengths {
		if s != m.strengths[0] {
			return false
		}
	}
	return true
}

// coverage returns the shares of contests in which intervals contain the truth.
func (c *job) coverage(ctx context.Context, m model, truth *rating.Table, blocks int, stream uint64) (strength, difference float64, err error) {
	var strengths, differences atomic.Int64
	last := len(m.strengths) - 1
	want, _, _ := truth.Difference(0, last, 0.95)
	err = c.each(ctx, c.trials, stream, func(i int, rng *rand.Rand) {
		played := make([]rating.Block, blocks)
		for b := range played {
			played[b] = m.block(rng)
		}
		table := rating.Fit(len(m.strengths), played, rating.Options{
			VirtualDraws: rating.TableDraws, Resamples: rating.TableResamples, Seed: uint64(i),
		})
		for bot := range m.strengths {
			if low, high := table.Interval(bot, 0.95); low <= truth.Elo(bot) && truth.Elo(bot) <= high {
				strengths.Add(1)
			}
		}
		if _, low, high := table.Difference(0, last, 0.95); low <= want && want <= high {
			differences.Add(1)
		}
	})
	trials := float64(c.trials)
	return float64(strengths.Load()) / trials / float64(len(m.strengths)), float64(differences.Load()) / trials, err
}
