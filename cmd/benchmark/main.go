// Command benchmark measures a built hexarena from outside, as processes on the
// loopback interface, and prints one table: turns per second over TCP compared with a
// server without a game that has the same clients, turns per second in process, jitter,
// memory, start time and size.
//
//	make benchmark
//
// Machines are noisy and differ, so programs that are compared run in alternation,
// several times, and the table shows the medians of the ratios.
//
// It runs one child process at a time and ends it when it is interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{
	Name: "benchmark", Run: measure,
	Children: map[string]func([]string, io.Reader, io.Writer) error{ceilingCommand: runCeiling},
}

func main() { program.Main() }

// bench is one run of the benchmark.
type bench struct {
	binary   string // hexarena
	against  string // another build to compare it with over TCP; "" for none
	self     string // this program, which is also the ceiling
	dir      string // of maps and recordings; removed at the end
	rounds   int
	turns    int // of a match at full speed
	ticks    int // turns of a match at the timer's pace
	progress io.Writer
	table    table
}

// part measures one or several rows of the table.
type part struct {
	name    string
	measure func(*bench, context.Context) error
}

var parts = []part{
	{"players", (*bench).players},
	{"visus", (*bench).visus},
	{"small", (*bench).small},
	{"page", (*bench).page},
	{"jitter", (*bench).jitter},
	{"headless", (*bench).headless},
	{"footprint", (*bench).footprint},
}

// measure parses the flags and runs the chosen parts.
func measure(ctx context.Context, args []string, out, progress io.Writer) error {
	b := bench{progress: progress}
	flags := flag.NewFlagSet("benchmark", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&b.binary, "binary", "bin/hexarena", "the program to measure; make build makes it")
	flags.StringVar(&b.against, "against", "", "another build, which plays the same matches in alternation with -binary")
	flags.IntVar(&b.rounds, "rounds", 5, "measurements of each pair")
	flags.IntVar(&b.turns, "turns", 40_000, "turns of a match at full speed")
	flags.IntVar(&b.ticks, "ticks", 400, "turns of a match at the pace of 50 ms")
	quick := flags.Bool("quick", false, "a short run: 2 rounds, 4000 turns, 60 ticks")
	only := flags.String("only", "", "parts to measure, separated by commas: "+harness.Names(parts, part.title)+" (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *quick {
		b.rounds, b.turns, b.ticks = 2, 4000, 60
	}
	chosen, err := harness.Select(parts, part.title, *only)
	switch {
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case b.rounds < 1:
		return fmt.Errorf("-rounds=%d: give 1 or more", b.rounds)
	case b.turns < 10 || b.turns > maxTurns:
		return fmt.Errorf("-turns=%d is not in 10…%d", b.turns, maxTurns)
	case b.ticks < 10 || b.ticks > maxTurns:
		return fmt.Errorf("-ticks=%d is not in 10…%d", b.ticks, maxTurns)
	}
	if _, err := os.Stat(b.binary); err != nil {
		return fmt.Errorf("-binary: %w; make build makes it", err)
	}
	if b.against != "" {
		if _, err := os.Stat(b.against); err != nil {
			return fmt.Errorf("-against: %w; give the path of an earlier build", err)
		}
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	var remove func()
	if b.dir, b.binary, remove, err = harness.Workspace(ctx, "benchmark", b.binary); err != nil {
		return err
	}
	defer remove()
	return b.run(ctx, chosen, out)
}

// maxTurns is the most turns that a match can have.
const maxTurns = 65_535

func (p part) title() string { return p.name }

func (b *bench) run(ctx context.Context, chosen []part, out io.Writer) error {
	began := time.Now()
	for _, p := range chosen {
		if err := p.measure(b, ctx); err != nil {
			return harness.Interrupted(ctx, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	fmt.Fprintf(b.progress, "done after %v\n", time.Since(began).Round(time.Second))
	fmt.Fprintf(out, "%s/%s, %d cores, %s; %d rounds; medians, in brackets the lowest and the highest\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), b.rounds)
	return b.table.print(out)
}

// report prints a line of progress.
func (b *bench) report(format string, args ...any) {
	fmt.Fprintf(b.progress, format+"\n", args...)
}
