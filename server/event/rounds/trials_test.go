package rounds

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// fullDisk is a disk that is full for a number of writes.
type fullDisk struct {
	disk.Disk
	fails atomic.Int32
}

func (d *fullDisk) OpenWrite(path string) (disk.File, error) {
	f, err := d.Disk.OpenWrite(path)
	return &fullFile{f, d}, err
}

type fullFile struct {
	disk.File
	disk *fullDisk
}

func (f *fullFile) WriteAt(b []byte, at int64) (int, error) {
	if f.disk.fails.Add(-1) >= 0 {
		return 0, errors.New("no space left on device")
	}
	return f.File.WriteAt(b, at)
}

// eventWithVersion opens an event on a disk with a team, and a version that the team has sent.
func eventWithVersion(t *testing.T, d disk.Disk) (*event.Event, state.Upload) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "acts"), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := event.Open(event.Options{Dir: dir, Disk: d, Plan: plan.Plan{
		Format: plan.Ladder, Game: "toy", Seats: 3, Maps: []plan.Map{{Name: "board", Places: 3}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.SignUp("Ann", e.Code()); err != nil {
		t.Fatal(err)
	}
	u := state.Upload{Digest: "0123456789abcdef", File: "bot.py"}
	err = e.Do(func(s *state.State) (state.Act, error) { return s.Versions.Send(0, u, 1) })
	if err != nil {
		t.Fatal(err)
	}
	return e, u
}

// A test match whose result the disk does not take is noted once the disk has space again, without
// another match.
func TestTriedOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &fullDisk{Disk: disk.Or(nil)}
		e, u := eventWithVersion(t, d)
		defer e.Close()
		d.fails.Store(5)
		r := New(e, Options{})
		defer r.Practices.stop()
		r.noteTried(t.Context(), 0, u.Digest, "")
		if _, sent := r.untried(nil); sent != nil || e.View().Failure != nil {
			t.Errorf("untried is %+v, and the event says %v", sent, e.View().Failure)
		}
	})
}

// A panic while a version is tried ends that trial alone: the version is tried again after a pause.
func TestTrialPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, u := eventWithVersion(t, disk.Or(nil))
		defer e.Close()
		var log bytes.Buffer
		r := New(e, Options{Log: zerolog.New(&log)}) // the versions are missing, so that it panics
		defer r.Practices.stop()
		ctx, cancel := context.WithTimeout(t.Context(), trialPause*3/2)
		defer cancel()
		tr := &trials{Rounds: r, busy: map[int]bool{}}
		tr.tryInTurn(ctx)
		if n := strings.Count(log.String(), u.Digest); n != 2 || len(tr.busy) != 0 {
			t.Errorf("%d trials failed, want 2, and busy are %v: %s", n, tr.busy, log.String())
		}
	})
}
