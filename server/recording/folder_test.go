package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A check of the recordings folder creates it and leaves no file in it.
func TestCheckFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := CheckFolder(dir); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("in the folder: %v, %v; want nothing", left, err)
	}
	if err := CheckFolder(""); err != nil {
		t.Errorf("no folder: %v", err)
	}
	if err := CheckFolder("/proc/x"); err == nil || !strings.Contains(err.Error(), `or "" for none`) {
		t.Errorf("/proc/x: %v, want an error with advice", err)
	}
}
