// Command strength measures the bot threat against the threat of another commit. It
// builds both programs, has the current one host games between them on a clock, one at a
// time, from seeded openings played with both sides, and prints the score with its 95 %
// interval. It exits with 1 if the lower end of the interval is not above -bound.
//
// The other program is built from the repository's history and removed at the end, also
// after an interrupt. It plays as a separate process over the HTTTX Bot API.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// reference is the default opponent: the last commit in which threat had a fixed depth
// and used no clock.
const reference = "1f22965"

// options are the command's flags.
type options struct {
	against  string // commit
	tc       string
	openings int
	bound    float64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "strength:", err)
		os.Exit(1)
	}
}

// run runs the command: it writes the result to out, and progress and help to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o, err := parse(args, progress)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hexarena-strength-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Fprintf(progress, "building the current program and that of %s\n", o.against)
	today, other, err := build(ctx, dir, o.against)
	if err != nil {
		return err
	}
	p := &player{dir: dir, hexarena: today, argv: other, tc: o.tc, warnings: progress}
	var s score
	began := time.Now()
	for n := range o.openings {
		pair, err := p.play(ctx, uint64(n+1))
		if err != nil {
			return err
		}
		s.add(pair)
		fmt.Fprintf(progress, "%3d of %d openings: %s, %v\n", n+1, o.openings, &s, time.Since(began).Round(time.Second))
	}
	low, high := s.interval()
	fmt.Fprintf(out, "threat against threat of %s, %d openings with both sides, --tc %s, seeds from 1\n", o.against, o.openings, o.tc)
	fmt.Fprintf(out, "won %d, drawn %d, lost %d; score %.3f, 95 %% interval %.3f to %.3f\n", s.won, s.drawn, s.lost, s.mean(), low, high)
	if low <= o.bound {
		return fmt.Errorf("the lower end of the interval, %.3f, is not above %v", low, o.bound)
	}
	return nil
}

func parse(args []string, help io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("strength", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.StringVar(&o.against, "against", reference, "commit whose threat is the opponent")
	flags.StringVar(&o.tc, "tc", "10+0.1", "clock of each side: seconds for the game, and seconds added after each move")
	flags.IntVar(&o.openings, "openings", 100, "number of openings, with seeds from 1; each is played with both sides")
	flags.Float64Var(&o.bound, "bound", 0.65, "least value of the lower end of the interval")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.openings < 2:
		return o, fmt.Errorf("-openings=%d: the value must be 2 or more", o.openings)
	}
	return o, nil
}

// build builds both programs below dir. today is the current program; other is the
// command that serves the opponent.
func build(ctx context.Context, dir, commit string) (today string, other []string, err error) {
	today = filepath.Join(dir, program("today"))
	if err := goBuild(ctx, ".", today); err != nil {
		return "", nil, err
	}
	source := filepath.Join(dir, "source")
	if err := extract(ctx, commit, source); err != nil {
		return "", nil, err
	}
	old := filepath.Join(dir, program("other"))
	if err := goBuild(ctx, source, old); err != nil {
		return "", nil, err
	}
	return today, []string{old, "bot", "threat", "--htttx", "--port", "{port}"}, os.RemoveAll(source)
}

// program returns the name of a program's file on this system.
func program(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
