//go:build browser

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/harness"
)

// tab is the page in the browser, with the options of both measurements.
type tab struct {
	*harness.Job
	ctx    context.Context
	board  string
	width  int64
	height int64
	file   string // for a CPU profile; empty for none
	length time.Duration
	tps    int
	turns  int
	seeks  int
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
	for _, err := harness.Get(ctx, url); err != nil && ctx.Err() == nil; _, err = harness.Get(ctx, url) {
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
