package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
		write := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(one, "1")
		write(two, "2")
		w := NewWatch([]string{one, two})
		told := make(chan string)
		ctx, stop := context.WithCancelCause(t.Context())
		go func() {
			defer close(told)
			for {
				name, err := w.Next(ctx)
				if err != nil {
					told <- err.Error()
					return
				}
				told <- name
			}
		}()
		silent := func(what string) {
			t.Helper()
			synctest.Wait()
			select {
			case name := <-told:
				t.Errorf("%s: reported %s", what, name)
			case <-time.After(5 * lookInterval):
			}
		}
		speaks := func(what, want string) {
			t.Helper()
			select {
			case name := <-told:
				if name != want {
					t.Errorf("%s: reported %s, want %s", what, name, want)
				}
			case <-time.After(time.Minute):
				t.Errorf("%s: no report, want %s", what, want)
			}
		}
		silent("nothing has changed")
		write(one, "another")
		speaks("one has changed", one)
		silent("it was told")
		for size := range 40 { // for longer than the time after which a file counts as complete
			write(two, string(make([]byte, size)))
			select {
			case name := <-told:
				t.Errorf("reported %s while it was being written", name)
			case <-time.After(lookInterval / 2): // so that each poll sees a change
			}
		}
		speaks("it is whole", two)
		write(one, "")
		silent("it is empty")
		if err := os.Remove(one); err != nil {
			t.Fatal(err)
		}
		silent("it is gone")
		write(filepath.Join(dir, "new"), "a new one")
		if err := os.Rename(filepath.Join(dir, "new"), one); err != nil {
			t.Fatal(err)
		}
		speaks("it was replaced", one)
		stop(errors.New("enough"))
		speaks("the end", "enough")
	})
}
