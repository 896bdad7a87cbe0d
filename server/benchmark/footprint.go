package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

const (
	hugeMap      = "honeycomb" // 654 cells
	hugeCrew     = 5
	footprintRun = 2000 // turns
	starts       = 10
)

// footprint measures memory, start and size, which nothing is beside.
func (b *bench) footprint(ctx context.Context) error {
	if err := b.startTime(ctx); err != nil {
		return err
	}
	if err := b.memory(ctx, "memory, 4 players on 654 cells", quiet); err != nil {
		return err
	}
	if err := b.memory(ctx, "memory, with recording and page", b.shown()); err != nil {
		return err
	}
	return b.size(ctx)
}

// startTime measures from the start of the process to its word that it listens.
func (b *bench) startTime(ctx context.Context) error {
	var times series
	for range starts {
		began := time.Now()
		srv, err := b.serve(ctx, crowd{players: 4}, largeMap, 100, b.shown()...)
		if err != nil {
			return err
		}
		times = append(times, float64(time.Since(began))/float64(time.Millisecond))
		srv.Stop()
	}
	b.say("%d starts: %.0f ms", starts, times.median())
	b.limit("start to listening", "ms", times, 100)
	return nil
}

// memory measures the most that was resident during one match.
func (b *bench) memory(ctx context.Context, what string, flags []string) error {
	var peaks series
	w := crowd{players: 4, characters: hugeCrew, visus: 1} // who looks at the end
	for range b.rounds {
		srv, err := b.serve(ctx, w, hugeMap, footprintRun, append(flags[:len(flags):len(flags)], "--fast")...)
		if err != nil {
			return err
		}
		peak := make(chan int, 1)
		w.ended = func() { peak <- proc.Peak(srv.ID()) }
		if _, err := attended(ctx, srv.Process, w, srv.Addr); err != nil {
			return err
		}
		n := <-peak
		if n == 0 {
			b.say("%s: not known on %s", what, runtime.GOOS)
			return nil
		}
		peaks = append(peaks, float64(n)/1e6)
	}
	b.say("%s: %.1f MB", what, peaks.median())
	b.limit(what, "MB", peaks, 30)
	return nil
}

// size measures the program without symbols.
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
	b.limit("program, stripped", "MB", series{float64(info.Size()) / 1e6}, 30)
	return nil
}

// limit adds a row for figures that must stay below a limit.
func (b *bench) limit(what, unit string, figures series, limit float64) {
	b.table.rows = append(b.table.rows, row{
		what:   what,
		figure: fmt.Sprintf("%.1f %s (%.1f–%.1f)", figures.median(), unit, figures.at(0), figures.at(1)),
		target: fmt.Sprintf("< %.0f %s", limit, unit),
		ok:     figures.median() < limit,
	})
}
