package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
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
	File
	disk    Disk
	durable Durability
	size    int64

	dirty  atomic.Bool
	timer  *time.Timer           // syncs a dirty file; nil unless the file is synced every second
	failed atomic.Pointer[error] // error of the last sync
}

// syncInterval is how long data may wait to be synced with EverySecond.
const syncInterval = time.Second

// create creates a file with that name, with a number appended if the name is taken.
func create(disk Disk, dir, name string, d Durability) (*file, error) {
	path := filepath.Join(dir, name)
	f, err := disk.Create(path + Extension)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 10_000; n++ {
		f, err = disk.Create(fmt.Sprintf("%s-%d%s", path, n, Extension))
	}
	if err != nil {
		return nil, err
	}
	file := &file{File: f, disk: disk, durable: d}
	if d == EverySecond {
		file.timer = time.AfterFunc(syncInterval, file.syncIfDirty)
	}
	return file, nil
}

// append writes a line with one call, so that a kill leaves all or nothing of it. If the
// disk was full, the next write overwrites the incomplete part.
func (f *file) append(line []byte) error {
	if err := f.failed.Swap(nil); err != nil {
		return *err
	}
	if _, err := f.WriteAt(line, f.size); err != nil {
		return err
	}
	if f.size == 0 && f.durable != AtEnd {
		f.disk.SyncDir(filepath.Dir(f.Name()))
	}
	f.size += int64(len(line))
	if f.durable == EveryTurn {
		return f.Sync()
	}
	if f.timer != nil && !f.dirty.Swap(true) {
		f.timer.Reset(syncInterval)
	}
	return nil
}

func (f *file) syncIfDirty() {
	if !f.dirty.Swap(false) {
		return
	}
	if err := f.Sync(); err != nil {
		f.failed.Store(&err)
	}
}

// close syncs and closes the file.
func (f *file) close() error {
	if f.timer != nil {
		f.timer.Stop()
	}
	return errors.Join(f.Sync(), f.Close())
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
	return fmt.Sprintf("%s-%s-%d", h.Started.Format("20060102-150405"), name[:min(len(name), longest)], h.Seed)
}
