//go:build unix

package recording

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// What is no file is refused at once: a named pipe would wait for its writer.
func TestOpenWhatIsNoFile(t *testing.T) {
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
