package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/hexarena/hexarena/server/harness"
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
	for range starts {
		began := time.Now()
		srv, err := b.serve(ctx, crowd{players: 4}, largeMap, 100, b.fullFlags()...)
		if err != nil {
			return err
		}
		times = append(times, float64(time.Since(began))/float64(time.Millisecond))
		srv.Stop()
	}
	b.report("%d starts: %.0f ms", starts, times.Median())
	b.limit("start to listening", "ms", times, 100)
	return nil
}

// memory measures the peak of the resident memory in one match.
func (b *bench) memory(ctx context.Context, what string, flags []string) error {
	var peaks harness.Series
	w := crowd{players: 4, characters: hugeCharacters, visus: 1} // which sees the end
	for range b.rounds {
		srv, err := b.serve(ctx, w, hugeMap, footprintTurns, append(flags[:len(flags):len(flags)], "--fast")...)
		if err != nil {
			return err
		}
		peak := make(chan int, 1)
		w.ended = func() { peak <- harness.Peak(srv.ID()) }
		if _, err := playOn(ctx, srv.Process, w, srv.Addr); err != nil {
			return err
		}
		n := <-peak
		if n == 0 {
			b.report("%s: unknown on %s", what, runtime.GOOS)
			return nil
		}
		peaks = append(peaks, float64(n)/1e6)
	}
	b.report("%s: %.1f MB", what, peaks.Median())
	b.limit(what, "MB", peaks, 30)
	return nil
}

// size measures the size of the program without symbols.
func (b *bench) size(ctx context.Context) error {
	path := filepath.Join(b.dir, "stripped")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "github.com/hexarena/hexarena/cmd/hexarena")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b.limit("program, stripped", "MB", harness.Series{float64(info.Size()) / 1e6}, 30)
	return nil
}

// limit adds a row for a figure that must stay below a limit.
func (b *bench) limit(what, unit string, figures harness.Series, limit float64) {
	b.table.rows = append(b.table.rows, row{
		what:   what,
		figure: fmt.Sprintf("%.1f %s (%.1f–%.1f)", figures.Median(), unit, figures.Quantile(0), figures.Quantile(1)),
		target: fmt.Sprintf("< %.0f %s", limit, unit),
		ok:     figures.Median() < limit,
	})
}
