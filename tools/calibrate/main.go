// Command calibrate measures whether the statistics of contests keep their promises: whether
// 95 % intervals contain the truth in 95 % of contests, whether sequential tests are right as
// often as they say, and how many matches blocks save.
//
//	go run ./tools/calibrate
//
// It draws the results of contests from the model of Plackett and Luce, with an effect of each seat
// and map of which only the deviation is known, prints a table, and exits with 1 if a figure is
// missed. The same seed gives the same table. -quick draws fewer, and checks nothing.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"text/tabwriter"

	"github.com/hexarena/hexarena/tools/harness"
)

var program = harness.Program{Name: "calibrate", Setup: setup}

func main() { program.Main() }

// job is one run of the command.
type job struct {
	*harness.Job
	trials int     // of each figure
	truth  int     // blocks that the true values are found with
	jobs   int     // at once
	seed   uint64  // of all that is drawn
	sigma  float64 // of the effect of a seat on a map, in units of strength
	quick  bool
	table  *tabwriter.Writer
	missed int // figures
}

const (
	// allTrials makes the standard error of a share near 0.95 0.002, so that correct statistics meet
	// 0.94 to 0.96 practically always.
	allTrials = 10_000
	// allTruth makes the error of the true values a tenth of what 300 blocks leave.
	allTruth = 100_000

	quickTrials, quickTruth = 20, 2000
)

// namedSigma is the deviation of the effect of a seat on a map: 1 is 174 Elo, so that the better
// of two seats is typically worth 64 % to 73 % of the points. The figures below are promised for
// it.
const namedSigma = 1

var errMissed = errors.New("a figure is missed")

func setup(j *harness.Job) func(context.Context) error {
	c := &job{Job: j}
	j.Flags.BoolVar(&c.quick, "quick", false, "draw few contests, only to see that all works")
	only := j.Flags.String("only", "", "one of intervals, tests, blocks (default: all)")
	j.Int(&c.trials, "trials", allTrials, 1, math.MaxInt,
		"contests and tests that each figure is measured with")
	j.Int(&c.jobs, "jobs", runtime.GOMAXPROCS(0), 1, 1024, "how many to draw at once")
	j.Flags.Uint64Var(&c.seed, "seed", 1, "seed of all that is drawn")
	j.Flags.Float64Var(&c.sigma, "sigma", namedSigma,
		"deviation of the effect of a seat on a map, in units of strength (174 Elo)")
	var parts []part
	j.Check(func() (err error) {
		j.Alone = true
		if !(c.sigma >= 0 && c.sigma <= 5) {
			return fmt.Errorf("-sigma=%v is not in 0…5", c.sigma)
		}
		if c.truth = allTruth; c.quick {
			c.trials, c.truth = min(c.trials, quickTrials), quickTruth
		}
		parts, err = harness.Select("only", allParts, func(p part) string { return p.name }, *only)
		return err
	})
	return func(ctx context.Context) error { return c.run(ctx, parts) }
}

// part is a part of the table.
type part struct {
	name string
	run  func(*job, context.Context) error
}

var allParts = []part{
	{"intervals", (*job).intervals},
	{"tests", (*job).tests},
	{"blocks", (*job).compareBlocks},
}

func (c *job) run(ctx context.Context, parts []part) error {
	fmt.Fprintf(c.Out, "%d trials each, seed %d, effect of a seat on a map: σ = %v (%.0f Elo)\n",
		c.trials, c.seed, c.sigma, c.sigma*elo)
	for _, p := range parts {
		c.table = tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(c.table)
		err := p.run(c, ctx)
		if err := errors.Join(err, c.table.Flush()); err != nil {
			return err
		}
	}
	if c.missed > 0 && !c.quick {
		return errMissed
	}
	return nil
}

// check prints a figure with what it has to be, and counts it if it is missed.
func (c *job) check(w io.Writer, figure, least, most float64) {
	verdict := "ok"
	if !(figure >= least && figure <= most) {
		verdict = "MISSED"
		c.missed++
	}
	fmt.Fprintf(w, "\t%.4f\t%.2f to %.2f\t%s\n", figure, least, most, verdict)
}

// each calls trial for all numbers below n, several at once. Each trial has its own random
// numbers, so that the result does not depend on how many run at once.
func (c *job) each(
	ctx context.Context, n int, stream uint64, trial func(i int, rng *rand.Rand),
) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				trial(i, rand.New(rand.NewPCG(c.seed, stream<<32+uint64(i))))
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}
