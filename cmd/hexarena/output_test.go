package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// What fails on the way leaves nothing behind, and changes no file.
func TestWriteTo(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	write := func(text string, err error) error {
		return writeTo(name, nil, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
	}
	broken := errors.New("broken")
	if err := write("half", broken); !errors.Is(err, broken) {
		t.Errorf("writeTo = %v, want %v", err, broken)
	}
	for _, text := range []string{"whole", "again"} {
		if err := write(text, nil); err != nil {
			t.Error(err)
		}
		if err := write("half", broken); !errors.Is(err, broken) {
			t.Errorf("writeTo = %v, want %v", err, broken)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("the file holds %q, %v; want %q", got, err, text)
		}
	}
	if err := writeTo(os.DevNull, nil, func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v; want one file", files, err)
	}
}

// An export that is interrupted says so and leaves nothing behind.
func TestExportInterrupted(t *testing.T) {
	dir := t.TempDir()
	if out, err := command(t, "play", "--turns", "20", "--http", "", "--record", dir, "random", "painter").CombinedOutput(); err != nil {
		t.Fatalf("play: %v, %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("recordings: %v, %v", files, err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, f := range formats {
		root := newRoot()
		root.SilenceErrors, root.SilenceUsage = true, true
		root.SetArgs([]string{"replay", "export", files[0], "--format", f.name, "-o", filepath.Join(dir, "out")})
		if err := root.ExecuteContext(ctx); !errors.Is(err, errInterrupted) {
			t.Errorf("export --format %s = %v, want %v", f.name, err, errInterrupted)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("export --format %s leaves %v, %v", f.name, left, err)
		}
	}
}
