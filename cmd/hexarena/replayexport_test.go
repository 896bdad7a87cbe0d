package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/server/export"
)

// An export that is interrupted says so and leaves nothing behind.
func TestExportInterrupted(t *testing.T) {
	dir := t.TempDir()
	if out, err := command(t, "play", "--turns", "20", "--http", "", "--record", dir, "random", "painter").CombinedOutput(); err != nil {
		t.Fatalf("play: %v, %s", err, out)
	}
	files := recordingsIn(t, dir, 1)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, f := range export.Formats(gameList) {
		root := newRoot()
		root.SilenceErrors, root.SilenceUsage = true, true
		root.SetArgs(
			[]string{"replay", "export", files[0], "--format", f.Name, "-o", filepath.Join(dir, "out")})
		if err := root.ExecuteContext(ctx); !errors.Is(err, cli.ErrInterrupted) {
			t.Errorf("export --format %s = %v, want %v", f.Name, err, cli.ErrInterrupted)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("export --format %s leaves %v, %v", f.Name, left, err)
		}
	}
}
