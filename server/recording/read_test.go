package recording

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
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
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil { // clocks of file systems are coarse
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
		if calls != test.calls || (err == nil) != test.replaced || err != nil && !errors.As(err, new(*DamageError)) {
			t.Errorf("%s: %d calls, %v; want %d calls", test.name, calls, err, test.calls)
		}
	}
}
