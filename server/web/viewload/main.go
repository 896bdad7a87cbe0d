// Command viewload has many viewers look on at one match, as browsers do, and
// reports what they were sent and when.
//
//	go run ./server/web/viewload -compare
//
// plays matches of four players, by turns without viewers and with them, and
// tells what the viewers cost the players. It builds hexarena, starts what it
// needs, and ends it, also when it is interrupted.
//
//	hexarena play --tps 10 --turns 400 &
//	go run ./server/web/viewload -viewers 2000 -pid $!
//
// looks on at a match that is there.
//
// The delay of a turn is how much later a viewer has it than the one that was
// the quickest ever, seen from the start of the match. Raise the limit of open
// files first if there are to be more viewers than it allows (ulimit -n).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run, args := load, os.Args[1:]
	if len(args) > 0 && args[0] == playersCommand {
		run, args = runPlayers, args[1:]
	}
	switch err := run(ctx, args, os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "viewload:", err)
		os.Exit(1)
	}
}

// load is the command: figures go to out, progress and help to progress.
func load(ctx context.Context, args []string, out, progress io.Writer) error {
	c := comparison{progress: progress}
	flags := flag.NewFlagSet("viewload", flag.ContinueOnError)
	flags.SetOutput(progress)
	url := flags.String("url", "ws://127.0.0.1:8080/api/live", "the match to look on at")
	length := flags.Duration("for", 20*time.Second, "how long to look on")
	pid := flags.Int("pid", 0, "the server's process, to tell its memory; on Linux")
	compare := flags.Bool("compare", false, "start matches, and compare those without viewers and with them")
	flags.IntVar(&c.viewers, "viewers", 2000, "how many viewers")
	flags.StringVar(&c.binary, "binary", "", "with -compare: the hexarena to start (default: it is built)")
	flags.IntVar(&c.rounds, "rounds", 5, "with -compare: pairs of matches")
	flags.IntVar(&c.turns, "turns", 150, "with -compare: turns of a match, ten a second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case c.viewers < 1:
		return fmt.Errorf("-viewers=%d: it has to be 1 or more", c.viewers)
	case c.rounds < 1:
		return fmt.Errorf("-rounds=%d: it has to be 1 or more", c.rounds)
	case c.turns < minTurns || c.turns > maxTurns:
		return fmt.Errorf("-turns=%d is not in %d…%d", c.turns, minTurns, maxTurns)
	case !*compare:
		return look(ctx, *url, c.viewers, *length, *pid, out)
	}
	if err := c.run(ctx, out); ctx.Err() == nil || err == nil {
		return err
	}
	return errors.New("interrupted")
}

// look looks on at one match for a while.
func look(ctx context.Context, url string, viewers int, length time.Duration, pid int, out io.Writer) error {
	before := proc.Memory(pid)
	a := &audience{url: url}
	if err := a.enter(ctx, viewers); err != nil {
		return err
	}
	defer a.leave()
	rest(ctx, time.Second) // for those who came last to catch up
	a.measuring.Store(true)
	rest(ctx, length)
	a.measuring.Store(false)
	after := proc.Memory(pid)
	a.leave()
	s, err := a.sum()
	if err != nil {
		return err
	}
	if pid != 0 {
		s.Memory = (after - before) / viewers
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, string(text))
	return nil
}

// rest waits, until ctx ends at the longest.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
