//go:build browser

package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

// goTo requests a turn and returns the time until its board is visible, in the frame after
// it was drawn.
const goTo = `new Promise((done) => {
	const begun = performance.now();
	const slider = document.querySelector('input[type="range"][aria-label="Turn"]');
	slider.value = "%d";
	slider.dispatchEvent(new Event("input", { bubbles: true }));
	requestAnimationFrame(() => {
		const drawn = new MessageChannel();
		drawn.port1.onmessage = () => done(performance.now() - begun);
		drawn.port2.postMessage(0);
	});
})`

// seek measures how fast the page opens a recording and goes to a turn of it.
func (t *tab) seek() error {
	file, err := harness.Record(t.ctx, t.Hexarena, t.Dir, "--map", t.board, "--turns",
		strconv.Itoa(t.turns))
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	srv, err := harness.Serve(t.ctx, t.Hexarena, "--http", "127.0.0.1:0", "--record", t.Dir)
	if err != nil {
		return err
	}
	defer srv.Stop()
	begun := time.Now()
	shown := srv.Page + "?recording=" + url.QueryEscape(filepath.Base(file))
	if err := t.open(shown, boardTurn+" === 0"); err != nil {
		return err
	}
	opened := time.Since(begun)
	var list harness.Series
	err = t.profiled(func() error {
		for range t.seeks {
			took, err := eval[float64](t, fmt.Sprintf(goTo, rand.IntN(t.turns+1)))
			if err != nil {
				return err
			}
			list = append(list, took)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "map %s, %d turns, a file of %d bytes\n", t.board, t.turns, info.Size())
	fmt.Fprintf(t.Out, "opened in %.2f s\n", opened.Seconds())
	fmt.Fprintf(t.Out, "%d seeks: median %.1f ms, longest %.1f ms\n", len(list), list.Median(),
		list.Quantile(1))
	return nil
}
