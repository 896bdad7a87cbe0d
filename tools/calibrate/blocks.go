package main

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// lengthTrials is what the trials are divided by in compareBlocks: the length of a test varies by
// some 60 %, so that 2 000 tell the mean to 1.3 %.
const lengthTrials = 5

// compareBlocks measures how many matches a test on blocks takes, as a share of those that a test
// on single matches in drawn seats takes, for the same two differences of strength.
func (c *job) compareBlocks(ctx context.Context) error {
	trials := max(c.trials/lengthTrials, 1)
	fmt.Fprintln(c.table, "matches of a test on blocks\tseats\tblocks\tsingle\tshare\tpromised\t")
	for _, n := range seats {
		better, err := c.challenger(ctx, n, tested.NElo1)
		if err != nil {
			return err
		}
		single, err := c.moments(ctx, better, model.single, uint64(100+n))
		if err != nil {
			return err
		}
		h := tested
		h.NElo1 = rating.PerDeviation * (single.mean - 0.5) / single.deviation
		for i, m := range []model{{make([]float64, n), c.sigma}, better} {
			want := sprt.Accepted0 + sprt.Verdict(i)
			_, inBlocks, err := c.test(ctx, trials, m, model.block, n, tested, want, uint64(4000+10*n+i))
			if err != nil {
				return err
			}
			_, alone, err := c.test(ctx, trials, m, model.single, 1, h, want, uint64(5000+10*n+i))
			if err != nil {
				return err
			}
			fmt.Fprintf(c.table, "%s\t%d\t%.0f\t%.0f", []string{"equal bots", "a better bot"}[i], n,
				inBlocks, alone)
			c.check(c.table, inBlocks/alone, 0, 0.85)
			c.Report("blocks: %d seats: %.0f, %.0f", n, inBlocks, alone)
		}
	}
	return nil
}
