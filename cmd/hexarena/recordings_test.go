package main

import (
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/server/recording"
)

// recordingsIn returns the recordings in a folder, of which there have to be n.
func recordingsIn(t *testing.T, dir string, n int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+recording.Extension))
	if err != nil || len(files) != n {
		t.Fatalf("recordings: %q, %v, want %d", files, err, n)
	}
	return files
}

// verifiedIn returns the recordings in a folder, of which there have to be n, and replay verify has
// to find them true.
func verifiedIn(t *testing.T, dir string, n int) []string {
	t.Helper()
	files := recordingsIn(t, dir, n)
	if out, err := command(t, append([]string{"replay", "verify"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("replay verify: %v\n%s", err, out)
	}
	return files
}
