//go:build browser

// Command measure shows a match or a recording in a headless Chromium and prints how fast the
// page was. The figures depend on the machine as much as on the page: run nothing else
// meanwhile.
//
//	go run -tags browser ./server/web/pagetest/measure frames
//	go run -tags browser ./server/web/pagetest/measure seek
//
// frames plays a match at 20 turns a second on the largest map, for half a minute,
// and prints how many frames per second the browser showed, and how long the longest
// took. seek opens a recording of 1 000 turns on that map and jumps to random turns.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/web/pagetest/chromium"
)

// measurements are what can be measured, by the first argument.
var measurements = map[string]func(*tab) error{"frames": (*tab).frames, "seek": (*tab).seek}

func main() {
	if len(os.Args) < 2 || measurements[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "measure: say what to measure: frames or seek")
		os.Exit(1)
	}
	measure := measurements[os.Args[1]]
	os.Args = slices.Delete(os.Args, 1, 2)
	program := harness.Program{Name: "measure", Setup: func(j *harness.Job) func(context.Context) error { return setup(j, measure) }}
	program.Main()
}

// setup declares the flags of both measurements.
func setup(j *harness.Job, measure func(*tab) error) func(context.Context) error {
	t := &tab{Job: j}
	j.Flags.StringVar(&j.Hexarena, "hexarena", "", "the program; it is built when left out")
	j.Flags.StringVar(&t.board, "map", "honeycomb", "the board")
	j.Flags.Int64Var(&t.width, "width", 1440, "of the window")
	j.Flags.Int64Var(&t.height, "height", 900, "of the window")
	j.Duration(&t.length, "for", 30*time.Second, "how long frames looks on")
	j.Int(&t.tps, "tps", 20, 1, math.MaxInt, "turns per second, for frames")
	j.Flags.StringVar(&t.file, "profile", "", "file for a CPU profile of the page")
	j.Int(&t.turns, "turns", 1000, 1, math.MaxInt, "turns of the recording, for seek")
	j.Int(&t.seeks, "seeks", 200, 1, math.MaxInt, "how many turns seek goes to")
	return func(ctx context.Context) error {
		browser, stop, err := chromium.Start(ctx)
		if err != nil {
			return err
		}
		var closeTab func()
		t.ctx, closeTab = chromedp.NewContext(browser)
		defer closeTab()
		err = chromedp.Do(t.ctx) // binds the tab to its context
		if err == nil {
			err = chromedp.Do(t.ctx, chromedp.EmulateViewport(t.width, t.height))
		}
		if err == nil {
			err = measure(t)
		}
		return errors.Join(err, stop())
	}
}
