package recording

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A file that is replaced while it is read is read again; one that is damaged is not.
func TestReadAgain(t *testing.T) {
	whole, err := os.ReadFile("testdata/v1" + Extension)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(whole)
	clear(broken[len(broken)/2 : len(broken)*3/4])
	for _, test := range []struct {
		name     string
		replaced bool
		calls    int
	}{{"replaced", true, 2}, {"damaged", false, 1}} {
		path := filepath.Join(t.TempDir(), test.name+Extension)
		write := func(b []byte) {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(broken)
		// clocks of file systems are coarse
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		calls := 0
		err := Read(path, func(r *Reader) error {
			calls++
			for _, err := range r.Turns() {
				if err != nil {
					if test.replaced {
						write(whole)
					}
					return err
				}
			}
			return nil
		})
		if calls != test.calls || (err == nil) != test.replaced ||
			err != nil && !errors.As(err, new(*DamageError)) {
			t.Errorf("%s: %d calls, %v; want %d calls", test.name, calls, err, test.calls)
		}
	}
}

// A file whose recorder finds that its frames are longer than its lines, and truncates them, is
// not damaged, even if its size and time are the same before and after it was opened.
func TestOpenDuringCompression(t *testing.T) {
	thorough.Long(t)
	lines, frames := small(30).files(t)
	for i := range thorough.Size(60, 300) {
		path := filepath.Join(t.TempDir(), "a"+Extension)
		if err := os.WriteFile(path, lines, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		written := make(chan error)
		go func() {
			_, err := f.WriteAt(frames, int64(len(lines)))
			written <- errors.Join(err, f.Truncate(int64(len(lines))), f.Close())
		}()
		r, err := Open(path)
		if err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
		r.Close()
		if err := <-written; err != nil {
			t.Fatal(err)
		}
	}
}
