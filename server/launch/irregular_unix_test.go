//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe or a device is no bot, whatever its name: reading it would block, or never end.
func TestIrregularFile(t *testing.T) {
	dir := t.TempDir()
	pipe, device := filepath.Join(dir, "bot.py"), filepath.Join(dir, "bot")
	if err := syscall.Mkfifo(pipe, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", device); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, device} {
		_, err := new(Finder).Find(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), path+" is no regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
