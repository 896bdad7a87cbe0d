package recording

import (
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

// Durability is what of a recording survives a loss of power. What the program
// itself does, such as being killed, costs no turn that was written.
type Durability uint8

// The durabilities.
const (
	EverySecond Durability = iota // all but the last second
	EveryTurn                     // every turn; the match waits for the disk
	AtEnd                         // what the system has written by itself, until the match is over
)

var durabilities = [...]string{"second", "turn", "end"}

// Durabilities are the names of all durabilities.
func Durabilities() []string { return []string{"turn", "second", "end"} }

func (d Durability) String() string { return durabilities[d] }

// ParseDurability is the durability with that name.
func ParseDurability(name string) (Durability, error) {
	for i, n := range durabilities {
		if n == name {
			return Durability(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %s", name, strings.Join(Durabilities(), ", "))
}

// file is a recording on the disk that is being written.
type file struct {
	*os.File
	durable Durability
	size    int64

	dirty  atomic.Bool
	quit   chan struct{} // closed: the syncing is to end
	syncer sync.WaitGroup
	failed atomic.Pointer[error] // what the syncing came to
}

// syncInterval is how often a file is synced that is not synced with each turn.
const syncInterval = time.Second

// create makes a file with that name, or one like it if there is one already.
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
			file.syncer.Go(file.syncNowAndThen)
		}
		return file, nil
	}
}

// syncDir makes the name of a new file last. Some systems cannot.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// append writes with one call, so that a kill leaves all or nothing of it. What
// a full disk took of it is written over by the next.
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

func (f *file) syncNowAndThen() {
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

// close makes what was written last.
func (f *file) close() error {
	close(f.quit)
	f.syncer.Wait()
	return errors.Join(f.Sync(), f.Close())
}

// fileName is what a recording is called, so that names sort by time.
func fileName(h *Header) string {
	name := h.MapName
	if name == "" {
		name = h.Rules
	}
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
