// Command league measures the strength of the bot threat at hexagonal tic-tac-toe: a
// hundred games against each weak bot, from seeded openings that all differ, half of them
// with either side. It prints a table and exits with 1 if a game is not won.
//
// The same program prints the same table on every machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

var errMissed = errors.New("a game was not won")

// turns is the number of moves after which a game is a draw.
const turns = 200

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "league:", err)
		os.Exit(1)
	}
}

// run runs the command: it writes the table to out, and progress and help to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("league", flag.ContinueOnError)
	flags.SetOutput(progress)
	n := flags.Int("games", 100, "games against each bot, with seeds from 1")
	nodes := flags.Int("nodes", 1<<12, "positions that threat may try for a move")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *n < 1:
		return fmt.Errorf("-games=%d: the value must be 1 or more", *n)
	case *nodes < 1:
		return fmt.Errorf("-nodes=%d: the value must be 1 or more", *nodes)
	}
	var rows []row
	for _, weak := range []string{"nearest", "random"} {
		r, err := measure(ctx, weak, *n, *nodes)
		if err != nil {
			return err
		}
		fmt.Fprintf(progress, "threat against %s: %d of %d\n", weak, r.won, r.games)
		rows = append(rows, r)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "contest\twon as x\twon as o\twon\tmedian\tseeds not won")
	for _, r := range rows {
		fmt.Fprintf(w, "threat against %s\t%d\t%d\t%d/%d\t%d moves\t%s\n", r.weak, r.as[0], r.as[1], r.won, r.games, r.median, joined(r.missed))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.won < r.games }) {
		return errMissed
	}
	return nil
}

func joined(seeds []uint64) string {
	if len(seeds) == 0 {
		return "none"
	}
	return strings.Trim(fmt.Sprint(seeds), "[]")
}

// row holds the results against one bot.
type row struct {
	weak       string
	games, won int
	as         [2]int // won as x and as o
	median     int    // moves per game
	missed     []uint64
}

// measure plays games with seeds 1 to n, on all cores.
func measure(ctx context.Context, weak string, n, nodes int) (row, error) {
	outcomes := make([]bots.Outcome, n)
	errs := make([]error, n)
	seeds := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := range seeds {
				outcomes[i], errs[i] = game(ctx, weak, uint64(i+1), nodes)
			}
		})
	}
	for i := range n {
		seeds <- i
	}
	close(seeds)
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return row{}, err
	}
	r := row{weak: weak, games: n}
	var lengths []int
	for i, o := range outcomes {
		lengths = append(lengths, len(o.Moves))
		if side := sideOf(uint64(i + 1)); o.Winner == side {
			r.won++
			r.as[side-rules.X]++
		} else {
			r.missed = append(r.missed, uint64(i+1))
		}
	}
	slices.Sort(lengths)
	r.median = lengths[n/2]
	return r, nil
}

// sideOf returns the side of threat in the game of a seed.
func sideOf(seed uint64) rules.Side { return rules.X + rules.Side(seed%2) }

func game(ctx context.Context, weak string, seed uint64, nodes int) (bots.Outcome, error) {
	c := bots.Contest{Options: rules.Defaults(), Seed: seed, Turns: turns}
	c.Options.Setup = bots.Opening(seed)
	side := sideOf(seed)
	c.Bots[side-rules.X], _ = bots.New("threat")
	c.Nodes[side-rules.X] = nodes
	c.Bots[side.Other()-rules.X], _ = bots.New(weak)
	return c.Play(ctx)
}
