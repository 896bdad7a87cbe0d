package recording

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
)

// troubled plays a match of n turns during which the disk fails before turn 3 and works
// again before turn 6. It returns the recorder and what it reported.
func troubled(
	t *testing.T, n int, dir string, begins, ends func(r *Recorder),
) (r *Recorder, reported []error) {
	t.Helper()
	m := small(n)
	o := m.options(t)
	o.Rules, o.Dir = gameProxy{m}, dir
	o.Complain = func(err error) { reported = append(reported, err) }
	r = New(o)
	m.begin(t, r)
	for step := 1; step <= n; step++ {
		switch step {
		case 3:
			begins(r)
		case 6:
			ends(r)
		}
		time.Sleep(2 * retryInterval)
		r.Played(m.step(step))
	}
	r.Ended(&match.Ending{Steps: n, Winner: m.last.Winner})
	return r, reported
}

func nothing(*Recorder) {}

// When the disk fails for a while, in any way, nothing is lost, and the failure is
// reported.
func TestRecordingGoesOn(t *testing.T) {
	tests := []struct {
		name         string
		prepare      func(t *testing.T, dir string)
		begins, ends func(t *testing.T, dir string, r *Recorder)
	}{
		{
			"the folder cannot be made at first",
			func(t *testing.T, dir string) { check(t, os.WriteFile(dir, nil, 0o644)) },
			func(*testing.T, string, *Recorder) {},
			func(t *testing.T, dir string, _ *Recorder) { check(t, os.Remove(dir)) },
		},
		{
			"the file is deleted",
			func(*testing.T, string) {},
			func(t *testing.T, _ string, r *Recorder) { check(t, os.Remove(r.spool.path())) },
			func(*testing.T, string, *Recorder) {},
		},
		{
			"the folder is deleted, and cannot be created again for a while",
			func(*testing.T, string) {},
			func(t *testing.T, dir string, _ *Recorder) {
				check(t, os.RemoveAll(dir))
				check(t, os.WriteFile(dir, nil, 0o644))
			},
			func(t *testing.T, dir string, _ *Recorder) { check(t, os.Remove(dir)) },
		},
		{
			"writing fails",
			func(*testing.T, string) {},
			func(t *testing.T, _ string, r *Recorder) {
				f, err := os.Open(r.spool.path()) // for reading only
				check(t, err)
				writable := r.spool.file.File
				r.spool.file.File = f
				t.Cleanup(func() { _ = writable.Close() })
			},
			func(t *testing.T, _ string, r *Recorder) {
				f, err := os.OpenFile(r.spool.path(), os.O_RDWR, 0)
				check(t, err)
				check(t, r.spool.file.Close())
				r.spool.file.File = f
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "recordings")
				tt.prepare(t, dir)
				r, reported := troubled(t, 9, dir,
					func(r *Recorder) { tt.begins(t, dir, r) }, func(r *Recorder) { tt.ends(t, dir, r) })
				if r.Err() != nil || len(reported) != 2 || reported[0] == nil || reported[1] != nil {
					t.Errorf("reported %q; want one error, and then that it is over", reported)
				}
				if v, err := verifyFile(r.Path()); err != nil || v.Turns != 9 || v.Cut {
					t.Errorf("verify = %+v, %v; want 9 turns, whole", v, err)
				}
			})
		})
	}
}

// When the disk fails for good, the recording ends, but not the match.
func TestRecordingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blocked := filepath.Join(t.TempDir(), "file")
		check(t, os.WriteFile(blocked, nil, 0o644))
		r, reported := troubled(t, 5, blocked, nothing, nothing)
		if len(reported) != 2 || r.Err() == nil || r.Path() != "" ||
			!strings.Contains(reported[1].Error(), "this match is not recorded") {
			t.Errorf("reported %q, want an error, and then that the match is not recorded", reported)
		}

		r, reported = troubled(t, 5, t.TempDir(), func(r *Recorder) { _ = r.spool.file.Close() }, nothing)
		if len(reported) != 2 || !strings.Contains(reported[1].Error(), "ends at turn 1") {
			t.Errorf("reported %q, want an error, and then that it ends at turn 1", reported)
		}
		if v, err := verifyFile(r.Path()); err != nil || v.Turns != 2 || !v.Cut {
			t.Errorf("verify = %+v, %v; want 2 turns, cut", v, err)
		}
	})
}

// The queue is bounded.
func TestSpoolGivesUp(t *testing.T) {
	thorough.Full(t)
	s := &spool{create: func() (*file, error) { return nil, errors.New("no") }, notify: func(error) {}}
	line := make([]byte, 16<<20)
	for i := range 5 {
		if err := s.append(i, line); (err != nil) != (i == 4) {
			t.Errorf("append %d = %v", i, err)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
