package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/hexarena/hexarena/server/contest/rating"
)

// fields lists the bots of the contests whose intervals are checked. Strengths that
// differ by 1.4 in total make the first bot beat the last in four of five matches. Bots that lose
// nearly everything win a match or none of a hundred, so that results hardly bound their strength.
var fields = []struct {
	name      string
	strengths []float64
	most      float64 // the largest share that is right: ends that results do not bound make it larger
}{
	{"2 equal bots", []float64{0, 0}, 0.96},
	{"2 unequal bots", []float64{0.7, -0.7}, 0.96},
	{"4 equal bots", []float64{0, 0, 0, 0}, 0.96},
	{"4 unequal bots", []float64{0.7, 0.3, -0.3, -0.7}, 0.96},
	{"3 bots and 1 that loses all", []float64{0.4, 0, -0.4, -14}, 0.96},
	{"3 bots and 1 that loses nearly all", []float64{0.4, 0, -0.4, -6}, 1},
	{"2 bots of which 1 wins nearly all", []float64{2.5, -2.5}, 1},
}

// lengths are the numbers of blocks of a contest. Intervals of the shortest are shown and not
// checked: a bootstrap over so few blocks promises less.
var lengths = []int{30, 100, 300}

const checkedLength = 100

// intervals measures how often the 95 % intervals of a table contain the truth: those of the
// strengths, over all bots that have one, and those of the difference between the first and the
// last bot; and how often bounds hold.
func (c *job) intervals(ctx context.Context) error {
	fmt.Fprintln(c.table, "95 % intervals that contain the truth\tblocks\tshare\tpromised\t")
	for f, field := range fields {
		m := model{field.strengths, c.sigma}
		truth, err := c.limit(ctx, m, uint64(f))
		if err != nil {
			return err
		}
		for l, blocks := range lengths {
			found, err := c.coverage(ctx, m, truth, blocks, uint64(1000+100*f+l))
			if err != nil {
				return err
			}
			for _, figure := range []struct {
				name string
				*tally
				most float64
			}{
				{"strengths", &found.strengths, field.most},
				{"difference", &found.differences, field.most},
				{"bounds", &found.bounds, 1},
			} {
				if figure.all.Load() < int64(c.trials)/leastShare {
					continue
				}
				if figure.name == "difference" && found.bounds.all.Load() > 0 {
					figure.most = 1
				}
				fmt.Fprintf(c.table, "%s, %s\t%d", field.name, figure.name, blocks)
				if blocks < checkedLength {
					fmt.Fprintf(c.table, "\t%.4f\t\t\n", figure.share())
				} else {
					c.check(c.table, figure.share(), 0.94, figure.most)
				}
			}
			c.Report("intervals: %s, %d blocks: %.4f, %.4f", field.name, blocks, found.strengths.share(),
				found.differences.share())
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

// leastShare is the share of contests, one in so many, from which on a figure says something.
const leastShare = 10

// tally counts intervals, and those that contain the truth.
type tally struct{ right, all atomic.Int64 }

func (t *tally) add(right bool) {
	t.all.Add(1)
	if right {
		t.right.Add(1)
	}
}

func (t *tally) share() float64 { return float64(t.right.Load()) / float64(max(t.all.Load(), 1)) }

// found counts what intervals of contests contain: of the bots that results connect, of the
// difference between the first and the last bot, and of others, which have bounds.
type found struct{ strengths, differences, bounds tally }

// coverage returns what the intervals of contests contain.
func (c *job) coverage(
	ctx context.Context, m model, truth *rating.Table, blocks int, stream uint64,
) (*found, error) {
	counts := new(found)
	last := len(m.strengths) - 1
	want := truth.Elo(0) - truth.Elo(last)
	err := c.each(ctx, c.trials, stream, func(i int, rng *rand.Rand) {
		played := make([]rating.Block, blocks)
		for b := range played {
			played[b] = m.block(rng)
		}
		table := rating.Fit(len(m.strengths), played, rating.Options{
			VirtualDraws: rating.TableDraws, Resamples: rating.TableResamples, Seed: uint64(i),
		})
		zero := 0.0
		for _, bot := range table.Among() {
			zero += truth.Elo(bot) / float64(len(table.Among()))
		}
		for bot := range m.strengths {
			level, ok := table.Level(bot, 0.95)
			if right := level.Low <= truth.Elo(bot)-zero && truth.Elo(bot)-zero <= level.High; !ok {
				continue
			} else if slices.Contains(table.Among(), bot) {
				counts.strengths.add(right)
			} else {
				counts.bounds.add(right)
			}
		}
		_, low, high := table.Difference(0, last, 0.95)
		counts.differences.add(low <= want && want <= high)
	})
	return counts, err
}
