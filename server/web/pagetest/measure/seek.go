//go:build browser

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/harness"
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

func seek(ctx context.Context, o options, t *tab) error {
	play := exec.CommandContext(ctx, o.program, "play", "--map", o.mapName, "--turns", strconv.Itoa(o.turns),
		"--order", "seeded", "--seed", "1", "--http", "", "--port", "0", "--record", t.folder)
	if err := play.Run(); err != nil {
		return fmt.Errorf("hexarena play: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(t.folder, "*.hexarena"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%d recordings in %s, want one: %v", len(files), t.folder, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		return err
	}
	srv, err := harness.Serve(ctx, o.program, "--http", "127.0.0.1:0", "--record", t.folder)
	if err != nil {
		return err
	}
	defer srv.Stop()
	begun := time.Now()
	if err := t.open(srv.Page + "?recording=" + url.QueryEscape(filepath.Base(files[0]))); err != nil {
		return err
	}
	if err := t.await(boardTurn + " === 0"); err != nil {
		return err
	}
	opened := time.Since(begun)
	if err := t.profile(o.profile, true); err != nil {
		return err
	}
	var list []float64
	for range o.seeks {
		took, err := eval[float64](t, fmt.Sprintf(goTo, rand.IntN(o.turns+1)))
		if err != nil {
			return err
		}
		list = append(list, took)
	}
	if err := t.profile(o.profile, false); err != nil {
		return err
	}
	slices.Sort(list)
	fmt.Printf("map %s, %d turns, a file of %d bytes\n", o.mapName, o.turns, info.Size())
	fmt.Printf("opened in %.2f s\n", opened.Seconds())
	fmt.Printf("%d seeks: median %.1f ms, longest %.1f ms\n", len(list), list[len(list)/2], list[len(list)-1])
	return nil
}
