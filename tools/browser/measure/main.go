//go:build browser

// Command measure shows a match or a recording in a headless Chromium and prints how fast the
// page was. The figures depend on the machine as much as on the page: run nothing else
// meanwhile.
//
//	go run -tags browser ./tools/browser/measure frames
//	go run -tags browser ./tools/browser/measure seek
//
// frames plays a match at 20 turns a second on the largest map, for half a minute, and prints how
// many frames per second the browser showed, how long the longest took, and how long the page's own
// code took to draw one. seek opens a recording of 1 000 turns on that map and jumps to random
// turns.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/tools/browser/chromium"
	"github.com/hexarena/hexarena/tools/harness"
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
	program := harness.Program{
		Name:  "measure",
		Setup: func(j *harness.Job) func(context.Context) error { return setup(j, measure) },
	}
	program.Main()
}

// setup declares the flags of both measurements.
func setup(j *harness.Job, measure func(*tab) error) func(context.Context) error {
	t := &tab{Job: j}
	j.Flags.StringVar(&j.Hexarena, "hexarena", "", "the program; it is built when left out")
	j.Flags.StringVar(&t.board, "map", "honeycomb", "the board")
	j.Int(&t.cells, "cells", 0, 0, math.MaxInt, "of a new map in place of -map, for frames; 0: none")
	j.Int(&t.players, "players", 16, 1, 1024, "of the new map")
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

// tab is the page in the browser, with the options of both measurements.
type tab struct {
	*harness.Job
	ctx     context.Context
	board   string
	cells   int // of a new map; 0: board is played
	players int
	width   int64
	height  int64
	file    string // for a CPU profile; empty for none
	length  time.Duration
	tps     int
	turns   int
	seeks   int
}

// boardTurn is the turn that the board shows, -1 before the first.
const boardTurn = `Number(/at turn (\d+)/.exec(document.querySelector('[role="img"][aria-label^="Board"]')?.ariaLabel)?.[1] ?? -1)`

const (
	patience     = time.Minute           // how long the page may take for each step
	pollInterval = 50 * time.Millisecond // between two checks of a condition
)

// open opens an address, as soon as its server listens, and waits until an expression is
// true in the page.
func (t *tab) open(url, expression string) error {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	for _, err := harness.Get(ctx, url); err != nil &&
		ctx.Err() == nil; _, err = harness.Get(ctx, url) {
		harness.Pause(ctx, pollInterval)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		return err
	}
	for ; ctx.Err() == nil; harness.Pause(ctx, pollInterval) {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return nil
		}
	}
	return fmt.Errorf("the page never came to %s: %w", expression, ctx.Err())
}

// eval returns the value of a promise in the page.
func eval[T any](t *tab, expression string) (T, error) {
	return chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// busy returns how many seconds the page's thread has spent on each kind of task.
func (t *tab) busy() (map[string]float64, error) {
	if _, err := chromedp.Call(t.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		return nil, err
	}
	got, err := chromedp.Call(t.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for _, m := range got.Metrics {
		all[m.Name] = m.Value
	}
	return all, nil
}

// profiled calls do and writes a CPU profile of the page meanwhile if one is wanted.
func (t *tab) profiled(do func() error) error {
	if t.file == "" {
		return do()
	}
	_, err := chromedp.Call(t.ctx, profiler.Enable, cdp.Empty{})
	if err == nil {
		_, err = chromedp.Call(t.ctx, profiler.Start, cdp.Empty{})
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return err
	}
	got, err := chromedp.Call(t.ctx, profiler.Stop, cdp.Empty{})
	if err != nil {
		return err
	}
	data, err := json.Marshal(got.Profile)
	if err != nil {
		return err
	}
	return os.WriteFile(t.file, data, 0o600)
}
