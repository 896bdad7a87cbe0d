package recording

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Keep limits the recordings in a folder: their number, their bytes, and the time since
// the oldest was finished. Zeros set no limit.
type Keep struct {
	Files int
	Bytes int64
	Age   time.Duration
}

// Tidied is the result of one pass of a Keeper.
type Tidied struct {
	Files int   // number of deleted files
	Bytes int64 // size of the deleted files
	Err   error // why the last one that could not be deleted was not
}

const (
	// keepSlack is the fraction of a limit that is freed in addition, or by which the number
	// of files may exceed it, so that a folder at its limit is not read after each match.
	keepSlack = 16
	// cutAge is the age from which on a recording without an end counts as finished. Before
	// that another process may still be writing it.
	cutAge = 24 * time.Hour
	// ageInterval is how often a folder is read for the age of its files.
	ageInterval = time.Minute
)

// Keeper deletes the oldest finished recordings of a folder. It keeps recordings that are
// being written, the newest finished one, links, and files that are not recordings. All
// recorders that write to the folder should share one Keeper.
//
// When the limits may be exceeded it reads the folder in a separate goroutine, which Close
// waits for. A nil Keeper keeps everything.
type Keeper struct {
	disk   disk.Disk
	dir    string
	keep   Keep
	notify func(Tidied)
	work   sync.WaitGroup // passes that run or wait
	pass   sync.Mutex     // held during a pass

	mu      sync.Mutex // guards the fields below
	open    map[string]bool
	bytes   int64     // in the folder: left by the last pass, and written since that began
	files   int       // likewise, finished
	next    time.Time // when the folder is read again for the age of its files
	waiting bool      // a pass has yet to begin
	closed  bool
}

// NewKeeper returns the keeper of a folder, or nil if the name is empty or nothing is limited.
// A nil disk means the operating system's. notify is called, by any goroutine, when files were
// deleted or could not be deleted; it may be nil.
func NewKeeper(d disk.Disk, dir string, k Keep, notify func(Tidied)) *Keeper {
	if dir == "" || k == (Keep{}) {
		return nil
	}
	if notify == nil {
		notify = func(Tidied) {}
	}
	return &Keeper{disk: disk.Or(d), dir: dir, keep: k, notify: notify, open: map[string]bool{}}
}

// locked calls do while it holds mu. A nil Keeper does nothing.
func (k *Keeper) locked(do func()) {
	if k != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		do()
	}
}

// Tidy starts a pass over the folder.
func (k *Keeper) Tidy() { k.locked(func() { k.begin() }) }

// Close waits for the passes that were started, and for those that follow them. Nothing is deleted
// after it.
func (k *Keeper) Close() {
	k.locked(func() { k.closed = true })
	if k != nil {
		k.work.Wait()
	}
}

// opened records that a recorder writes a file, finished that it has ended.
func (k *Keeper) opened(path string) {
	k.locked(func() { k.open[filepath.Base(path)] = true })
}

func (k *Keeper) finished(path string) {
	k.locked(func() {
		delete(k.open, filepath.Base(path))
		k.files++
		if k.full() || k.keep.Age > 0 && time.Now().After(k.next) {
			k.begin()
		}
	})
}

// wrote records that a file has grown by n bytes.
func (k *Keeper) wrote(n int) {
	k.locked(func() {
		if k.bytes += int64(n); k.full() {
			k.begin()
		}
	})
}

// full reports whether the folder has more bytes or files than it may. The caller holds mu.
func (k *Keeper) full() bool {
	return k.keep.Bytes > 0 && k.bytes > k.keep.Bytes ||
		k.keep.Files > 0 && k.files > k.keep.Files+k.keep.Files/keepSlack
}

// begin starts a pass, unless the keeper is closed. The caller holds mu.
func (k *Keeper) begin() {
	if !k.closed {
		k.start()
	}
}

// start starts a pass, which waits for the one that is running. The caller holds mu.
func (k *Keeper) start() {
	if k.waiting {
		return
	}
	k.waiting = true
	panics.Go(&k.work, func() {
		k.pass.Lock()
		defer k.pass.Unlock()
		k.mu.Lock()
		k.waiting = false
		k.mu.Unlock()
		if done := k.tidy(); done != (Tidied{}) {
			k.notify(done)
		}
	}, func(p *panics.Error) { k.notify(Tidied{Err: p}) })
}

// list returns the recordings in the folder that this process is not writing, the oldest
// first, and the size of all recordings.
func (k *Keeper) list() (list []fs.FileInfo, bytes int64, err error) {
	k.mu.Lock()
	open := maps.Clone(k.open)
	k.bytes, k.files = 0, 0
	k.mu.Unlock()
	entries, err := k.disk.List(k.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil // nothing has been recorded
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), Extension) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // the file was deleted meanwhile
		}
		bytes += info.Size()
		if !open[e.Name()] {
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	return list, bytes, err
}

// tidy deletes what exceeds the limits.
func (k *Keeper) tidy() (done Tidied) {
	list, total, err := k.list()
	done.Err = err
	files, maxFiles, maxBytes := len(list), k.keep.Files, k.keep.Bytes
	if total > maxBytes {
		maxBytes -= maxBytes / keepSlack
	}
	now := time.Now()
	for i, f := range list {
		old := k.keep.Age > 0 && now.Sub(f.ModTime()) > k.keep.Age
		if !old && (maxBytes == 0 || total <= maxBytes) && (maxFiles == 0 || files <= maxFiles) ||
			i == len(list)-1 {
			break
		}
		if !k.complete(f, now) {
			continue
		}
		if err := k.disk.Remove(filepath.Join(k.dir, f.Name())); err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				done.Err = err
			}
			continue
		}
		done.Files++
		done.Bytes += f.Size()
		total -= f.Size()
		files--
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	// If nothing can be deleted, the folder is not read again for each line.
	k.bytes += min(total, k.keep.Bytes-k.keep.Bytes/keepSlack)
	k.files += min(files, k.keep.Files)
	k.next = now.Add(ageInterval)
	if k.full() { // because of what was written during the pass, also if it was the last before Close
		k.start()
	}
	return done
}

// complete reports whether a file is a recording that is no longer being written.
func (k *Keeper) complete(f fs.FileInfo, now time.Time) bool {
	file, err := k.disk.Open(filepath.Join(k.dir, f.Name()))
	if err != nil {
		return false
	}
	defer file.Close()
	r, err := NewReader(file, f.Size())
	if err != nil {
		return false
	}
	defer r.Close()
	return r.whole || now.Sub(f.ModTime()) > cutAge || r.Summary().End != nil
}

// defaultMaxSize is the largest size of a recording without a Keeper, in bytes of lines:
// about 60 000 turns of a dozen players.
const defaultMaxSize = 512 << 20

// maxSize returns the largest size of one recording: half of what the folder may have, so
// that one match does not displace all others.
func (k *Keeper) maxSize() int64 {
	if k == nil || k.keep.Bytes == 0 {
		return defaultMaxSize
	}
	return k.keep.Bytes / 2
}
