package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

const (
	hugeMap        = "honeycomb" // 654 cells
	hugeCharacters = 5
	footprintTurns = 2000
	starts         = 10 // of a server, to measure the time
)

// footprint measures start time, memory and size, which have absolute targets.
func (b *bench) footprint(ctx context.Context) error {
	if err := b.startTime(ctx); err != nil {
		return err
	}
	if err := b.memory(ctx, "memory, 4 players on 654 cells", plainFlags); err != nil {
		return err
	}
	if err := b.memory(ctx, "memory, with recording and page", b.fullFlags()); err != nil {
		return err
	}
	return b.size(ctx)
}

// startTime measures the time from the start of the process until it listens.
func (b *bench) startTime(ctx context.Context) error {
	var times harness.Series
	g := game{crowd: harness.Crowd{Players: 4}, board: largeMap, turns: 100, flags: b.fullFlags()}
	for range starts {
		began := time.Now()
		srv, err := g.serve(ctx, b.Hexarena)
		if err != nil {
			return err
		}
		times = append(times, harness.Milliseconds(time.Since(began)))
		srv.Stop()
	}
	b.Report("%d starts: %.0f ms", starts, times.Median())
	b.limit("start to listening", "ms", times, 100)
	return nil
}

// memory measures the peak of the resident memory in one match.
func (b *bench) memory(ctx context.Context, what string, flags []string) error {
	var peaks harness.Series
	crowd := harness.Crowd{Players: 4, Characters: hugeCharacters, Visus: 1} // which sees the end
	for range b.rounds {
		g := game{what, crowd, hugeMap, footprintTurns, flags}
		srv, err := g.serve(ctx, b.Hexarena, "--fast")
		if err != nil {
			return err
		}
		n := 0
		g.crowd.Ended = func() { n = harness.Peak(srv.ID()) }
		if _, err := playOn(ctx, srv.Process, g.crowd, srv.Addr); err != nil {
			return err
		}
		if n == 0 {
			b.Report("%s: unknown on %s", what, runtime.GOOS)
			return nil
		}
		peaks = append(peaks, float64(n)/1e6)
	}
	b.Report("%s: %.1f MB", what, peaks.Median())
	b.limit(what, "MB", peaks, 30)
	return nil
}

// size measures the size of the program without symbols.
func (b *bench) size(ctx context.Context) error {
	path := filepath.Join(b.Dir, "stripped")
	if err := harness.Build(ctx, path, "-trimpath", "-ldflags", "-s -w"); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	// as tools/release has it
	b.limit("program, stripped", "MB", harness.Series{float64(info.Size()) / 1e6}, 46)
	return nil
}

// limit adds a row for a figure that must stay below a limit.
func (b *bench) limit(what, unit string, figures harness.Series, limit float64) {
	b.table.Add(harness.Row{
		What: what, Figure: figures.Format(1, " "+unit),
		Target: fmt.Sprintf("< %.0f %s", limit, unit), Met: figures.Median() < limit,
	})
}
