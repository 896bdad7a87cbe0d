package cup

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// often is the number of rows after which the cups of these tests write a checkpoint.
const often = 7

// playOften plays a contest to its end with checkpoints, and returns its log.
func playOften(t *testing.T, c *Contest, dir string) []byte {
	t.Helper()
	if err := run(t.Context(), t, c, dir, Options{Jobs: 2, CheckpointRows: often}); err != nil {
		t.Fatal(err)
	}
	return logOf(t, dir)
}

// tableOf returns the table of the cup in a folder, from its checkpoint if that is wanted, and how
// many rows were read for it.
func tableOf(t *testing.T, dir string, checkpoint bool) (table *standings.Table, rows int) {
	t.Helper()
	c := opened(t, dir)
	s, f := standings.New(c.Plan), c.Follow()
	if checkpoint {
		s, f = c.Resume()
	}
	if err := f.AddTo(s, func(*results.Row) error { rows++; return nil }); err != nil {
		t.Fatal(err)
	}
	return s.Table(50), rows
}

// A cup that is stopped again and again and goes on from checkpoints has the log and the table,
// with the errors of bots, of one that is not interrupted, in every format.
func TestCheckpoints(t *testing.T) {
	thorough.Full(t)
	random := []string{"random", "painter", "sometimes", "crasher"}
	for _, c := range []*Contest{
		contest(t, plan.RoundRobin, 120, 3, random, "clover", "crossroads"),
		contest(t, plan.Gauntlet, 40, 2, random, "pebble"),
		contest(t, plan.Comparison, 40, 2, random[:2], "pebble"),
		adaptive(t, plan.Swiss, 0, 2, 7, "pebble"), adaptive(t, plan.Ladder, 60, 3, 7, "clover"),
		adaptive(t, plan.KnockOut, 40, 2, 6, "pebble"), adaptive(t, plan.Groups, 0, 2, 6, "pebble"),
	} {
		t.Run(string(c.Plan.Format), func(t *testing.T) {
			t.Parallel()
			whole, dir := t.TempDir(), t.TempDir()
			want := playOften(t, c, whole)
			const step = 5 // matches until the next stop
			for over, stop := false, 0; !over; stop += step {
				ctx, cancel := context.WithCancel(t.Context())
				from := -1
				err := run(ctx, t, c, dir, Options{Jobs: 3, CheckpointRows: often, Begin: func(o bool) { over = o }, Restored: func(state []byte) {
					s, err := standings.Restore(c.Plan, state)
					if err != nil {
						t.Fatal(err)
					}
					from = s.Matches()
				}, Played: func(row *results.Row, fresh bool) {
					if from >= 0 && row.K < from {
						t.Errorf("match %d is read, and the checkpoint has %d", row.K, from)
					}
					if fresh && row.K >= stop {
						cancel()
					}
				}})
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if stop > 20 && from < stop-20 {
					t.Errorf("stopped after match %d, the cup goes on from the checkpoint of %d matches",
						stop-step, from)
				}
			}
			if got := logOf(t, dir); !bytes.Equal(got, want) {
				t.Errorf("the log is\n%s\nwant\n%s", got, want)
			}
			for _, folder := range []string{dir, whole} {
				all, _ := tableOf(t, folder, false)
				if got, rows := tableOf(t, folder, true); rows >= 2*often || !reflect.DeepEqual(got, all) {
					t.Errorf("after %d rows the table is\n%+v\nwant\n%+v", rows, got, all)
				}
			}
		})
	}
}

// A checkpoint that does not fit the log, the times or the plan, or is damaged, is ignored.
func TestCheckpointIsChecked(t *testing.T) {
	thorough.Long(t)
	c := contest(t, plan.RoundRobin, 30, 2, []string{"random", "painter", "crasher"}, "pebble")
	dir := t.TempDir()
	want := playOften(t, c, dir)
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	checkpoint, times := read(archive.CheckpointFile), read(timesFile)
	replaced := func(text []byte, old, fresh string) []byte {
		return bytes.Replace(text, []byte(old),
			[]byte(fresh), 1)
	}
	for name, files := range map[string]map[string][]byte{
		"another row":   {logFile: replaced(want, `"refused":[0`, `"refused":[1`)},
		"a shorter log": {logFile: want[:len(want)/2]},
		"no log":        {logFile: nil},
		"shorter times": {timesFile: times[:len(times)/2]},
		"a damaged one": {archive.CheckpointFile: replaced(checkpoint, `"matches":`, `"matches":1`)},
		"half of one":   {archive.CheckpointFile: checkpoint[:len(checkpoint)/2]},
		"none":          {archive.CheckpointFile: nil},
		"that of a newer us": {archive.CheckpointFile: replaced(checkpoint, `{"version":4`,
			`{"version":5`)},
	} {
		for file, text := range map[string][]byte{
			logFile: want, timesFile: times, archive.CheckpointFile: checkpoint,
		} {
			if other, ok := files[file]; ok {
				text = other
			}
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all, _ := tableOf(t, dir, false)
		if got, rows := tableOf(t, dir, true); rows != all.Matches || !reflect.DeepEqual(got, all) {
			t.Errorf("%s: of %d matches %d are read", name, all.Matches, rows)
		}
		if got := playOften(t, c, dir); !bytes.Equal(got, want) && name != "another row" {
			t.Errorf("%s: the cup goes on to another log", name)
		}
	}
}
