//go:build unix

package recording

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Anything but a regular file is refused at once: opening a named pipe would block.
func TestOpenSpecialFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe"+Extension)
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, t.TempDir()} {
		opened := make(chan error, 1)
		go func() {
			_, err := Open(path)
			opened <- err
		}()
		select {
		case err := <-opened:
			if !errors.Is(err, errNoFile) {
				t.Errorf("Open(%s) = %v, want %v", path, err, errNoFile)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("Open(%s) does not return", path)
		}
	}
}
