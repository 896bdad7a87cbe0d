// Command chaos tests that a server survives misbehaving clients. It starts hexarena
// serve as a child process on the loopback interface and connects bots of ten kinds to
// match after match; nine of the kinds misbehave.
//
//	go run ./cmd/chaos -duration 10m
//	go run ./cmd/chaos -soak
//
// The first exits with 0 if every match was played to its end, every recording
// verifies, no honest bot missed a turn, and memory and goroutines are back to where they
// were. The second plays 10 000 small matches in one process and exits with 0 if its
// memory and goroutines have not grown. Both clean up when they are interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{Name: "chaos", Run: run}

func main() { program.Main() }

// options are the settings of both tests.
type options struct {
	binary   string // hexarena
	dir      string // of the map and the recordings; removed at the end
	seed     uint64
	duration time.Duration
	bots     int
	turns    int           // of a match
	timeout  time.Duration // of a turn
	matches  int           // of the soak
	progress io.Writer
}

// run parses the flags and runs one of the tests.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	o := options{progress: progress}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&o.binary, "binary", "", "the hexarena to test (default: built for the run)")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64(), "seed of the bots and the proxy")
	flags.DurationVar(&o.duration, "duration", 10*time.Minute, "how long to start further matches")
	flags.IntVar(&o.bots, "bots", 200, "number of bots, of ten kinds")
	flags.IntVar(&o.turns, "turns", 10, "turns of a match")
	flags.DurationVar(&o.timeout, "turn-timeout", 2*time.Second, "time limit of a turn")
	soak := flags.Bool("soak", false, "play small matches one after another instead, and watch the memory")
	flags.IntVar(&o.matches, "matches", 10_000, "with -soak: number of matches")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.bots < len(kinds) || o.bots > maxBots:
		return fmt.Errorf("-bots=%d is not in %d…%d", o.bots, len(kinds), maxBots)
	case o.turns < 2:
		return fmt.Errorf("-turns=%d: give 2 or more", o.turns)
	case o.timeout <= 0 || o.duration <= 0:
		return fmt.Errorf("-turn-timeout=%v -duration=%v: give times above 0", o.timeout, o.duration)
	case o.matches < soakParts:
		return fmt.Errorf("-matches=%d: give %d or more", o.matches, soakParts)
	}
	var remove func()
	var err error
	if o.dir, o.binary, remove, err = harness.Workspace(ctx, "chaos", o.binary); err != nil {
		return harness.Interrupted(ctx, err)
	}
	defer remove()
	test := o.chaos
	if *soak {
		test = o.soak
	}
	return harness.Interrupted(ctx, test(ctx, out))
}

// maxBots is the number of seats on the largest map.
const maxBots = 1024

// report prints a line of progress.
func (o *options) report(format string, args ...any) {
	fmt.Fprintf(o.progress, format+"\n", args...)
}

// records returns the folder of the recordings.
func (o *options) records() string { return filepath.Join(o.dir, "recordings") }
