//go:build browser

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/tools/harness"
)

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

// timeDrawing makes the page note in drawn, for each frame, how many milliseconds its own code took
// to draw it: all callbacks of a frame are called with the same time.
const timeDrawing = `{
	const request = window.requestAnimationFrame.bind(window);
	let frame = -1;
	window.drawn = [];
	window.requestAnimationFrame = (draw) => request((at) => {
		const begun = performance.now();
		draw(at);
		const took = performance.now() - begun;
		if (at === frame) window.drawn[window.drawn.length - 1] += took;
		else window.drawn.push(took);
		frame = at;
	});
}`

// late is the gap that a viewer perceives as a stop, in milliseconds.
const late = 50

// frames measures how evenly the page shows a match.
func (t *tab) frames() error {
	port, err := harness.FreePort()
	if err != nil {
		return err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	board := t.board
	if t.cells > 0 {
		cells := strconv.Itoa(t.cells)
		board, err = harness.NewMap(t.ctx, t.Hexarena, t.Dir, t.players, "--cells", cells)
		if err != nil {
			return err
		}
	}
	turns := t.tps * int((t.length + 20*time.Second).Seconds())
	play, err := harness.Start(t.ctx, t.Hexarena, "play",
		"--http", address, "--port", "0", "--record", t.Dir,
		"--map", board, "--tps", strconv.Itoa(t.tps), "--turns", strconv.Itoa(turns))
	if err != nil {
		return err
	}
	defer play.Stop()
	err = chromedp.Do(t.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: timeDrawing})
		return err
	}))
	if err != nil {
		return err
	}
	if err := t.open("http://"+address, boardTurn+" > 20"); err != nil {
		return err
	}
	var busy, after map[string]float64
	var first, last int
	var list, drawn harness.Series
	err = t.profiled(func() (err error) {
		if busy, err = t.busy(); err != nil {
			return err
		}
		if first, err = eval[int](t, boardTurn); err != nil {
			return err
		}
		script := `(window.drawn = [], ` + fmt.Sprintf(gaps, t.length.Milliseconds()) + `)`
		if list, err = eval[harness.Series](t, script); err != nil {
			return err
		}
		if drawn, err = eval[harness.Series](t, `window.drawn`); err != nil {
			return err
		}
		if last, err = eval[int](t, boardTurn); err != nil {
			return err
		}
		after, err = t.busy()
		return err
	})
	if err != nil {
		return err
	}
	if len(list) == 0 || len(drawn) == 0 {
		return errors.New("there were no frames")
	}
	var total float64
	slow := 0
	for _, gap := range list {
		total += gap
		if gap > late {
			slow++
		}
	}
	fmt.Fprintf(t.Out, "map %s, window %d × %d, %d turns shown in %.1f s\n", filepath.Base(board),
		t.width, t.height, last-first, total/1000)
	fmt.Fprintf(t.Out, "median         %6.1f frames/s\n", 1000/list.Median())
	fmt.Fprintf(t.Out, "mean           %6.1f frames/s\n", 1000*float64(len(list))/total)
	fmt.Fprintf(t.Out, "longest frame  %6.1f ms\n", list.Quantile(1))
	fmt.Fprintf(t.Out, "over %d ms     %6.2f %% of %d frames\n", late,
		100*float64(slow)/float64(len(list)), len(list))
	fmt.Fprintf(t.Out, "our drawing    %6.1f ms in the median frame, %.1f ms in 95 %% of them\n",
		drawn.Median(), drawn.Quantile(0.95))
	for _, name := range []string{
		"TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration",
	} {
		fmt.Fprintf(t.Out, "%-20s %5.1f %% of the time\n", name, 100*(after[name]-busy[name])*1000/total)
	}
	return nil
}
