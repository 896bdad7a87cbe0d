// Command benchmark measures a built hexarena from outside, as processes on the
// loopback interface, and prints one table: turns per second over TCP beside what
// a server without a game reaches with the same clients in the same minute, turns
// per second in process, jitter, memory, start and size.
//
//	make benchmark
//
// Machines are noisy and never alike, so what is to be compared is measured by
// turns, several times in one run, and the table has the medians of the ratios.
//
// It starts one process at a time and ends it before the next; when it is
// interrupted, it ends the one that runs.
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
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := measure
	args := os.Args[1:]
	if len(args) > 0 && args[0] == ceilingCommand {
		run, args = runCeiling, args[1:]
	}
	switch err := run(ctx, args, os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// bench is one run of the benchmark.
type bench struct {
	binary   string // hexarena
	against  string // another build of it, which plays the matches over TCP as well; "" for none
	self     string // this program, which is the ceiling as well
	dir      string // for maps and recordings, removed in the end
	rounds   int
	turns    int // of a match at full speed
	ticks    int // turns of a match at the timer's pace
	progress io.Writer
	table    table
}

// part is one row of the table, or a few.
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

// measure is the command: the table goes to out, progress and help to progress.
func measure(ctx context.Context, args []string, out, progress io.Writer) error {
	b := bench{progress: progress}
	flags := flag.NewFlagSet("benchmark", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&b.binary, "binary", "bin/hexarena", "the program to measure; make build makes it")
	flags.StringVar(&b.against, "against", "", "an earlier build, which plays the same matches by turns with -binary")
	flags.IntVar(&b.rounds, "rounds", 5, "how often each pair is measured")
	flags.IntVar(&b.turns, "turns", 40_000, "turns of a match at full speed")
	flags.IntVar(&b.ticks, "ticks", 400, "turns of a match at the pace of 50 ms")
	quick := flags.Bool("quick", false, "a short run: 2 rounds, 4000 turns, 60 ticks")
	only := flags.String("only", "", "parts to measure, separated by commas: "+strings.Join(partNames(), ", ")+" (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *quick {
		b.rounds, b.turns, b.ticks = 2, 4000, 60
	}
	chosen, err := choose(*only)
	switch {
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case b.rounds < 1:
		return fmt.Errorf("-rounds=%d: it has to be 1 or more", b.rounds)
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
	if b.dir, err = os.MkdirTemp("", "hexarena-benchmark-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	return b.run(ctx, chosen, out)
}

const maxTurns = 65_535

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

func choose(only string) ([]part, error) {
	if only == "" {
		return parts, nil
	}
	var chosen []part
	for name := range strings.SplitSeq(only, ",") {
		i := slices.Index(partNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("-only: %q is none of %s", name, strings.Join(partNames(), ", "))
		}
		chosen = append(chosen, parts[i])
	}
	return chosen, nil
}

func (b *bench) run(ctx context.Context, chosen []part, out io.Writer) error {
	began := time.Now()
	for _, p := range chosen {
		if err := p.measure(b, ctx); err != nil {
			if ctx.Err() != nil {
				return errors.New("interrupted")
			}
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	fmt.Fprintf(b.progress, "done after %v\n", time.Since(began).Round(time.Second))
	fmt.Fprintf(out, "%s/%s, %d cores, %s; %d rounds, medians, in brackets the lowest and the highest\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), b.rounds)
	return b.table.print(out)
}

// say tells of progress.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.progress, format+"\n", args...)
}
