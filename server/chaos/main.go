// Command chaos shows that a server holds: it starts hexarena serve as a process
// of its own, on the loopback interface alone, and lets bots of ten kinds loose on
// match after match, most of which mean no good.
//
//	go run ./server/chaos -duration 10m
//	go run ./server/chaos -soak
//
// The first ends with 0 if every match came to its end, every recording verifies,
// no honest bot missed a turn, and memory and goroutines are back where they
// were. The second plays 10 000 small matches in one process, and ends with 0 if
// that has not grown. Both end by themselves, and leave nothing behind when they
// are interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

// options are what both trials go by.
type options struct {
	binary   string // hexarena
	dir      string // for the map and the recordings, removed in the end
	seed     uint64
	duration time.Duration
	bots     int
	turns    int           // of a match
	timeout  time.Duration // of a turn
	matches  int           // of the soak
	progress io.Writer
}

// run is the command: what was found goes to out, progress and help to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o := options{progress: progress}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&o.binary, "binary", "", "the hexarena to try (default: built for the run)")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64(), "of all that the bots and the proxy draw by lot")
	flags.DurationVar(&o.duration, "duration", 10*time.Minute, "how long matches are begun")
	flags.IntVar(&o.bots, "bots", 200, "bots, of ten kinds")
	flags.IntVar(&o.turns, "turns", 10, "turns of a match")
	flags.DurationVar(&o.timeout, "turn-timeout", 2*time.Second, "of a turn")
	soak := flags.Bool("soak", false, "play small matches one after another instead, and watch the memory")
	flags.IntVar(&o.matches, "matches", 10_000, "with -soak: how many")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.bots < len(kinds) || o.bots > maxBots:
		return fmt.Errorf("-bots=%d is not in %d…%d", o.bots, len(kinds), maxBots)
	case o.turns < 2 || o.timeout <= 0 || o.duration <= 0:
		return fmt.Errorf("-turns=%d -turn-timeout=%v -duration=%v: want two turns or more, and times", o.turns, o.timeout, o.duration)
	case o.matches < soakParts:
		return fmt.Errorf("-matches=%d: want %d or more", o.matches, soakParts)
	}
	if o.dir, err = os.MkdirTemp("", "hexarena-chaos-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	if o.binary == "" {
		o.binary = filepath.Join(o.dir, "hexarena.exe") // a name that every system runs
		if err := proc.Build(ctx, o.binary); err != nil {
			return err
		}
	}
	try := o.chaos
	if *soak {
		try = o.soak
	}
	if err = try(ctx, out); ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// maxBots is as many as there are seats on the largest map.
const maxBots = 1024

// say tells of progress.
func (o *options) say(format string, args ...any) { fmt.Fprintf(o.progress, format+"\n", args...) }

// records is the folder of the recordings.
func (o *options) records() string { return filepath.Join(o.dir, "recordings") }
