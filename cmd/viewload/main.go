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
	"fmt"
	"io"
	"math"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{
	Name: "viewload", Setup: setup,
	Children: map[string]func([]string, io.Reader, io.Writer) error{playersCommand: runPlayers},
}

func main() { program.Main() }

const (
	maxTurns = 65_535
	minTurns = 20 // leaves some between the first and the last ones
)

// setup declares the flags of comparing matches and of watching one.
func setup(j *harness.Job) func(context.Context) error {
	c := &comparison{Job: j}
	url := j.Flags.String("url", "ws://127.0.0.1:8080/api/live", "WebSocket address of the match to watch")
	length := j.Flags.Duration("for", 20*time.Second, "how long to watch")
	pid := j.Flags.Int("pid", 0, "process ID of the server, to report its memory; on Linux")
	compare := j.Flags.Bool("compare", false, "start matches, and compare those without viewers and with them")
	j.Int(&c.viewers, "viewers", 2000, 1, math.MaxInt, "number of viewers")
	j.Flags.StringVar(&j.Hexarena, "binary", "", "with -compare: the hexarena to start (default: built for the run)")
	j.Int(&c.rounds, "rounds", 5, 1, math.MaxInt, "with -compare: pairs of matches")
	j.Int(&c.turns, "turns", 150, minTurns, maxTurns, "with -compare: turns of a match, ten a second")
	j.Check(func() error { j.Alone = !*compare; return nil })
	return func(ctx context.Context) error {
		if *compare {
			return c.run(ctx)
		}
		return watch(ctx, *url, c.viewers, *length, *pid, j.Out)
	}
}

// watch watches one match for the given time.
func watch(ctx context.Context, url string, viewers int, length time.Duration, pid int, out io.Writer) error {
	before := harness.Memory(pid)
	var a audience
	defer a.Disconnect()
	if err := a.Connect(ctx, url, viewers, a.read); err != nil {
		return err
	}
	harness.Pause(ctx, time.Second) // until the last viewers have caught up
	a.measure()
	harness.Pause(ctx, length)
	a.measuring.Store(false)
	after := harness.Memory(pid)
	s, err := a.summarize(viewers)
	if err != nil {
		return err
	}
	if pid != 0 {
		s.Memory = (after - before) / viewers
	}
	text, err := json.MarshalIndent(s, "", "  ")
	fmt.Fprintln(out, string(text))
	return err
}
