package rounds

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"

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

// A test match whose result the disk does not take is noted once the disk has space again, without
// another match.
func TestTriedOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &fullDisk{Disk: disk.Or(nil)}
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
		defer e.Close()
		if _, _, err := e.SignUp("Ann", e.Code()); err != nil {
			t.Fatal(err)
		}
		u := state.Upload{Digest: "0123456789abcdef", File: "bot.py"}
		err = e.Do(func(s *state.State) (state.Act, error) { return s.Versions.Send(0, u, 1) })
		if err != nil {
			t.Fatal(err)
		}
		d.fails.Store(5)
		r := New(e, Options{})
		defer r.Practices.stop()
		r.noteTried(t.Context(), 0, u.Digest, "")
		if _, sent := r.untried(nil); sent != nil || e.View().Failure != nil {
			t.Errorf("untried is %+v, and the event says %v", sent, e.View().Failure)
		}
	})
}
