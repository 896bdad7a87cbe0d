package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/contest/sprt"
	games "github.com/hexarena/hexarena/server/games/hextictactoe"
)

// hypotheses are that a part is worth 15 normalised Elo, and that it is worth none.
var hypotheses = sprt.Hypotheses{NElo0: 0, NElo1: 15, Alpha: 0.05, Beta: 0.05}

var errNotBetter = errors.New("threat is not better with it")

// compare plays threat against threat without a part until a sequential test has decided which is
// better. A block is one of the balanced openings, with both sides.
func (l *job) compare(ctx context.Context) error {
	openings := games.BalancedOpenings()
	test, err := sprt.New(hypotheses, score.Most(2, 2), 2)
	if err != nil {
		return err
	}
	threat, _ := bots.New("threat")
	for block := 0; test.Verdict() == sprt.Undecided; block++ {
		if block == mostBlocks {
			return fmt.Errorf("%w after %d blocks", errNotBetter, block)
		}
		var halves [2]int
		var errs [2]error
		var both sync.WaitGroup
		for side := range halves {
			both.Go(func() {
				o := rules.Defaults()
				o.Setup = openings[block%len(openings)]
				c := bots.Contest{
					Options: o, Nodes: [2]int{l.nodes, l.nodes}, Turns: longestComparison,
					Seed: uint64(block/len(openings)) + l.seed,
				}
				c.Bots[side], c.Bots[1-side] = threat, l.other
				out, err := c.Play(ctx)
				halves[side], errs[side] = halvesOf(out.Winner, side), err
			})
		}
		both.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		test.Add(halves[0] + halves[1])
		if n := block + 1; n%toldBlocks == 0 {
			l.Report("%s", course(test))
		}
	}
	fmt.Fprintf(l.Out, "threat with its %s, %d nodes a move: %s; openings by halves %v\n",
		l.without, l.nodes, course(test), test.Blocks())
	if test.Verdict() != sprt.Accepted1 {
		return errNotBetter
	}
	return nil
}

// course returns in words how the test stands.
func course(test *sprt.Test) string {
	blocks := test.Blocks()
	mean, _ := blocks.Moments()
	ratio, _, _ := test.Ratio()
	e := rating.NewElo(blocks, 2)
	return fmt.Sprintf("%.1f %% of the points in %.0f openings with both sides, %+.0f ± %.0f Elo, "+
		"log likelihood ratio %.2f", 100*mean, blocks.Blocks(), e.Elo, e.Error, ratio)
}

const (
	longestComparison = 200    // moves until a draw, as in cups
	mostBlocks        = 20_000 // a difference as small as the test can tell is decided by then
	toldBlocks        = 20     // some seconds
)

// halvesOf returns twice the points of the bot that played a side, 0 for x and 1 for o.
func halvesOf(winner rules.Side, side int) int {
	switch winner {
	case rules.None:
		return 1
	case rules.X + rules.Side(side):
		return 2
	}
	return 0
}
