//go:build browser

package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/harness"
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

// late is the gap that a viewer perceives as a stop, in milliseconds.
const late = 50

// frames measures how evenly the page shows a match.
func (t *tab) frames() error {
	port, err := harness.FreePort()
	if err != nil {
		return err
	}
	page := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	turns := t.tps * int((t.length + 20*time.Second).Seconds())
	play, err := harness.Start(t.ctx, t.Hexarena, "play", "--http", page, "--port", "0", "--record", t.Dir,
		"--map", t.board, "--tps", strconv.Itoa(t.tps), "--turns", strconv.Itoa(turns))
	if err != nil {
		return err
	}
	defer play.Stop()
	if err := t.open("http://"+page, boardTurn+" > 20"); err != nil {
		return err
	}
	var busy, after map[string]float64
	var first, last int
	var list harness.Series
	err = t.profiled(func() (err error) {
		if busy, err = t.busy(); err != nil {
			return err
		}
		if first, err = eval[int](t, boardTurn); err != nil {
			return err
		}
		if list, err = eval[harness.Series](t, fmt.Sprintf(gaps, t.length.Milliseconds())); err != nil {
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
	if len(list) == 0 {
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
	fmt.Fprintf(t.Out, "map %s, window %d × %d, %d turns shown in %.1f s\n", t.board, t.width, t.height, last-first, total/1000)
	fmt.Fprintf(t.Out, "median         %6.1f frames/s\n", 1000/list.Median())
	fmt.Fprintf(t.Out, "mean           %6.1f frames/s\n", 1000*float64(len(list))/total)
	fmt.Fprintf(t.Out, "longest frame  %6.1f ms\n", list.Quantile(1))
	fmt.Fprintf(t.Out, "over %d ms     %6.2f %% of %d frames\n", late, 100*float64(slow)/float64(len(list)), len(list))
	for _, name := range []string{"TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"} {
		fmt.Fprintf(t.Out, "%-20s %5.1f %% of the time\n", name, 100*(after[name]-busy[name])*1000/total)
	}
	return nil
}
