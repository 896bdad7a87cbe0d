package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
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

var durabilities = [...]string{"second", "turn", "end"}

// Durabilities returns the names of all levels.
func Durabilities() []string { return []string{"turn", "second", "end"} }

func (d Durability) String() string { return durabilities[d] }

// ParseDurability returns the level with the given name.
func ParseDurability(name string) (Durability, error) {
	for i, n := range durabilities {
		if n == name {
			return Durability(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %s", name, strings.Join(Durabilities(), ", "))
}

// file is a recording that is being written.
type file struct {
	*os.File
	durable Durability
	size    int64

	dirty  atomic.Bool
	quit   chan struct{} // closed to stop the syncer
	syncer sync.WaitGroup
	failed atomic.Pointer[error] // error of the last sync
}

// syncInterval is how often a file is synced with EverySecond.
const syncInterval = time.Second

// create creates a file with that name, with a number appended if the name is taken.
func create(dir, name string, d Durability) (*file, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+Extension)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, Extension))
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) && n < 10_000 {
			continue
		}
		if err != nil {
			return nil, err
		}
		file := &file{File: f, durable: d, quit: make(chan struct{})}
		if d == EverySecond {
			file.syncer.Go(file.syncPeriodically)
		}
		return file, nil
	}
}

// syncDir syncs a directory, so that the name of a new file survives. Some systems cannot.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
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
		syncDir(filepath.Dir(f.Name()))
	}
	f.size += int64(len(line))
	if f.durable == EveryTurn {
		return f.Sync()
	}
	f.dirty.Store(true)
	return nil
}

func (f *file) syncPeriodically() {
	second := time.NewTicker(syncInterval)
	defer second.Stop()
	for {
		select {
		case <-f.quit:
			return
		case <-second.C:
			if !f.dirty.Swap(false) {
				continue
			}
			if err := f.Sync(); err != nil {
				f.failed.Store(&err)
			}
		}
	}
}

// close syncs and closes the file.
func (f *file) close() error {
	close(f.quit)
	f.syncer.Wait()
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
