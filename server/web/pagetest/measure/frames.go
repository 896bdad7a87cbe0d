//go:build browser

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"
)

const boardTurn = `Number(/at turn (\d+)/.exec(document.querySelector('[role="img"][aria-label^="Board"]')?.ariaLabel)?.[1] ?? -1)`

// gaps returns the times between frames in milliseconds.
const gaps = `new Promise((done) => {
	const list = [];
	let last = performance.now();
	const begun = last;
	requestAnimationFrame(function frame() {
		const now = performance.now();
		list.push(now - last);
		last = now;
		if (now - begun < %d) requestAnimationFrame(frame);
		else done(list);
	});
})`

// late is the gap that a viewer perceives as a stop, in milliseconds.
const late = 50

func frames(ctx context.Context, o options, t *tab) error {
	turns := o.tps * int((o.length + 20*time.Second).Seconds())
	url, stop, err := play(ctx, o, "--map", o.mapName, "--tps", strconv.Itoa(o.tps), "--turns", strconv.Itoa(turns), "--record", t.folder)
	if err != nil {
		return err
	}
	defer stop()
	if err := t.open(url); err != nil {
		return err
	}
	if err := t.await(boardTurn + " > 20"); err != nil {
		return err
	}
	if err := t.profile(o.profile, true); err != nil {
		return err
	}
	busy, err := t.busy()
	if err != nil {
		return err
	}
	first, err := eval[int](t, boardTurn)
	if err != nil {
		return err
	}
	list, err := eval[[]float64](t, fmt.Sprintf(gaps, o.length.Milliseconds()))
	if err != nil {
		return err
	}
	last, err := eval[int](t, boardTurn)
	if err != nil {
		return err
	}
	after, err := t.busy()
	if err != nil {
		return err
	}
	if err := t.profile(o.profile, false); err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("there were no frames")
	}
	slices.Sort(list)
	var total float64
	slow := 0
	for _, gap := range list {
		total += gap
		if gap > late {
			slow++
		}
	}
	fmt.Printf("map %s, window %d × %d, %d turns shown in %.1f s\n", o.mapName, o.width, o.height, last-first, total/1000)
	fmt.Printf("median         %6.1f frames/s\n", 1000/list[len(list)/2])
	fmt.Printf("mean           %6.1f frames/s\n", 1000*float64(len(list))/total)
	fmt.Printf("longest frame  %6.1f ms\n", list[len(list)-1])
	fmt.Printf("over %d ms     %6.2f %% of %d frames\n", late, 100*float64(slow)/float64(len(list)), len(list))
	for _, name := range []string{"TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"} {
		fmt.Printf("%-20s %5.1f %% of the time\n", name, 100*(after[name]-busy[name])*1000/total)
	}
	return nil
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

// profile starts a CPU profile of the page, or stops it and writes it to a file.
func (t *tab) profile(file string, start bool) error {
	if file == "" {
		return nil
	}
	if start {
		_, err := chromedp.Call(t.ctx, profiler.Enable, cdp.Empty{})
		if err == nil {
			_, err = chromedp.Call(t.ctx, profiler.Start, cdp.Empty{})
		}
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
	return os.WriteFile(file, data, 0o600)
}
