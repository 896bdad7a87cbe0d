// Command viewload connects many viewers to one match, as browsers do, and reports what
// they received and when.
//
//	go run ./cmd/viewload -compare
//
// plays matches of four players, alternately without viewers and with them, and reports
// what the viewers cost the players. It builds hexarena and starts the servers; it ends
// them also when it is interrupted.
//
//	hexarena play --tps 10 --turns 400 &
//	go run ./cmd/viewload -viewers 2000 -pid $!
//
// watches a running match.
//
// The delay of a turn at a viewer is measured against the fastest delivery of any turn to
// any viewer. Raise the limit of open files (ulimit -n) above the number of viewers first.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{
	Name: "viewload", Run: load,
	Children: map[string]func([]string, io.Reader, io.Writer) error{playersCommand: runPlayers},
}

func main() { program.Main() }

// load parses the flags, and compares matches or watches one.
func load(ctx context.Context, args []string, out, progress io.Writer) error {
	c := comparison{progress: progress}
	flags := flag.NewFlagSet("viewload", flag.ContinueOnError)
	flags.SetOutput(progress)
	url := flags.String("url", "ws://127.0.0.1:8080/api/live", "WebSocket address of the match to watch")
	length := flags.Duration("for", 20*time.Second, "how long to watch")
	pid := flags.Int("pid", 0, "process ID of the server, to report its memory; on Linux")
	compare := flags.Bool("compare", false, "start matches, and compare those without viewers and with them")
	flags.IntVar(&c.viewers, "viewers", 2000, "number of viewers")
	flags.StringVar(&c.binary, "binary", "", "with -compare: the hexarena to start (default: built for the run)")
	flags.IntVar(&c.rounds, "rounds", 5, "with -compare: pairs of matches")
	flags.IntVar(&c.turns, "turns", 150, "with -compare: turns of a match, ten a second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case c.viewers < 1:
		return fmt.Errorf("-viewers=%d: give 1 or more", c.viewers)
	case c.rounds < 1:
		return fmt.Errorf("-rounds=%d: give 1 or more", c.rounds)
	case c.turns < minTurns || c.turns > maxTurns:
		return fmt.Errorf("-turns=%d is not in %d…%d", c.turns, minTurns, maxTurns)
	case !*compare:
		return watch(ctx, *url, c.viewers, *length, *pid, out)
	}
	return harness.Interrupted(ctx, c.run(ctx, out))
}

// watch watches one match for the given time.
func watch(ctx context.Context, url string, viewers int, length time.Duration, pid int, out io.Writer) error {
	before := harness.Memory(pid)
	a := &audience{url: url}
	if err := a.connect(ctx, viewers); err != nil {
		return err
	}
	defer a.disconnect()
	harness.Pause(ctx, time.Second) // until the last viewers have caught up
	a.measuring.Store(true)
	harness.Pause(ctx, length)
	a.measuring.Store(false)
	after := harness.Memory(pid)
	a.disconnect()
	s, err := a.summarize()
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
