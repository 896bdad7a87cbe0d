package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// Durability is how much of a recording survives a power failure. If only the program is
// killed, no written turn is lost.
type Durability uint8

// The levels of durability.
const (
	EverySecond Durability = iota // all but the last second
	EveryTurn                     // every turn; the match waits for the disk
	AtEnd                         // during the match only what the system has written by itself
)

var durabilities = []string{"second", "turn", "end"}

// ParseDurability returns the level with the given name.
func ParseDurability(name string) (Durability, error) {
	if i := slices.Index(durabilities, name); i >= 0 {
		return Durability(i), nil
	}
	return 0, fmt.Errorf("%q is not one of %s", name, strings.Join(durabilities, ", "))
}

// file is a recording that is being written.
type file struct {
	disk.File
	disk    disk.Disk
	durable Durability
	size    int64
	named   bool // the file's name survives a power failure

	// With EverySecond, a timer syncs what was appended.
	timer    *time.Timer
	dirty    atomic.Bool
	appended atomic.Int64  // size, for the timer
	syncing  chan struct{} // holds a value during a sync
	// bytes of the last sync that succeeded; the timer's until failed is set
	synced int64
	// error of the last sync, until what it may have lost is written again
	failed   atomic.Pointer[error]
	reported bool // append has returned it
}

// syncInterval is the time that data may wait to be synced with EverySecond.
const syncInterval = time.Second

// create creates a file with that name, with a number appended if the name is taken.
func create(on disk.Disk, dir, name string, d Durability) (*file, error) {
	path := filepath.Join(dir, name)
	f, err := on.Create(path + Extension)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 10_000; n++ {
		f, err = on.Create(fmt.Sprintf("%s-%d%s", path, n, Extension))
	}
	if err != nil {
		return nil, err
	}
	file := &file{File: f, disk: on, durable: d}
	if d == EverySecond {
		file.syncing = make(chan struct{}, 1)
		file.timer = time.AfterFunc(syncInterval, file.syncIfDirty)
	}
	return file, nil
}

// append writes a line with one call, so that a kill leaves all or nothing of it. If the
// disk was full, or the line is not safe from a power failure, the next write overwrites it.
func (f *file) append(line []byte) error {
	if err := f.recover(); err != nil {
		return err
	}
	if _, err := f.WriteAt(line, f.size); err != nil {
		return err
	}
	if f.durable != AtEnd {
		if err := f.syncName(); err != nil {
			return err
		}
	}
	if f.durable == EveryTurn {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	f.size += int64(len(line))
	f.appended.Store(f.size)
	if f.timer != nil && !f.dirty.Swap(true) {
		f.timer.Reset(syncInterval)
	}
	return nil
}

// syncName makes the file's name survive a power failure.
func (f *file) syncName() error {
	if f.named {
		return nil
	}
	err := f.disk.SyncDir(filepath.Dir(f.Name()))
	f.named = err == nil
	return err
}

// syncIfDirty syncs what was appended. After an error it waits until that is written again.
func (f *file) syncIfDirty() {
	f.syncing <- struct{}{}
	defer func() { <-f.syncing }()
	if f.failed.Load() != nil || !f.dirty.Swap(false) {
		return
	}
	size := f.appended.Load()
	if err := f.Sync(); err != nil {
		f.failed.Store(&err)
		return
	}
	f.synced = size
}

// recover returns the error of a sync once. Then it writes again what that may have lost: the
// system does not, and the next sync would succeed without it.
func (f *file) recover() error {
	err := f.failed.Load()
	switch {
	case err == nil:
		return nil
	case !f.reported:
		f.reported = true
		return *err
	}
	from, to := io.NewSectionReader(f, f.synced, f.size-f.synced), io.NewOffsetWriter(f, f.synced)
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	f.reported = false
	f.dirty.Store(false) // the timer may have fired meanwhile, and append is to set it again
	f.failed.Store(nil)
	return nil
}

// stopSyncs ends the syncs of every second, and waits for one that runs.
func (f *file) stopSyncs() {
	if f.timer != nil {
		f.timer.Stop()
		f.dirty.Store(false)
		f.syncing <- struct{}{}
		<-f.syncing
	}
}

// close syncs and closes the file.
func (f *file) close() error {
	f.stopSyncs()
	return errors.Join(f.Sync(), f.Close(), f.syncName())
}

// fileName returns the name of a recording. Names sort by time.
func fileName(h *Header) string {
	name := cmp.Or(h.MapName, h.Rules)
	name = strings.TrimSuffix(filepath.Base(filepath.ToSlash(name)), ".json")
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
	const longest = 40
	return fmt.Sprintf("%s-%s-%d", h.Started.Format("20060102-150405"), name[:min(len(name), longest)],
		h.Seed)
}
