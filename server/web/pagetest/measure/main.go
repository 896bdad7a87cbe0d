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
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/web/pagetest/chromium"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// options are the options of both measurements.
type options struct {
	program string
	mapName string
	width   int64
	height  int64
	profile string
	length  time.Duration
	tps     int
	turns   int
	seeks   int
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.StringVar(&o.program, "hexarena", "", "the program; it is built when left out")
	flags.StringVar(&o.mapName, "map", "honeycomb", "the board")
	flags.Int64Var(&o.width, "width", 1440, "of the window")
	flags.Int64Var(&o.height, "height", 900, "of the window")
	flags.DurationVar(&o.length, "for", 30*time.Second, "how long frames looks on")
	flags.IntVar(&o.tps, "tps", 20, "turns per second, for frames")
	flags.StringVar(&o.profile, "profile", "", "file for a CPU profile of the page")
	flags.IntVar(&o.turns, "turns", 1000, "turns of the recording, for seek")
	flags.IntVar(&o.seeks, "seeks", 200, "how many turns seek goes to")
	what := map[string]func(context.Context, options, *tab) error{"frames": frames, "seek": seek}
	if len(args) == 0 || what[args[0]] == nil {
		return errors.New("say what to measure: frames or seek")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if o.program == "" {
		o.program = filepath.Join(folder, "hexarena.exe")
		if err := harness.Build(ctx, o.program); err != nil {
			return err
		}
	}
	browser, stop, err := chromium.Start(ctx)
	if err != nil {
		return err
	}
	t, cancel := chromedp.NewContext(browser)
	defer cancel()
	err = chromedp.Do(t)
	if err == nil {
		err = chromedp.Do(t, chromedp.EmulateViewport(o.width, o.height))
	}
	if err == nil {
		err = what[args[0]](ctx, o, &tab{ctx: t, folder: folder})
	}
	return errors.Join(err, stop())
}
