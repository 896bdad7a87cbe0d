package recording

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/panics"
)

// Keep says how many recordings stay in a folder: files, bytes of these, and how long
// ago the oldest may have ended. Zeros are no bounds.
type Keep struct {
	Files int
	Bytes int64
	Age   time.Duration
}

// Tidied is what a Keeper did, or why it could not.
type Tidied struct {
	Files int   // that were deleted
	Bytes int64 // that they had
	Err   error // of the last one that could not be deleted
}

const (
	// keepSlack is the part of a bound that is freed beyond it, or may be exceeded by the
	// number of files, so that a folder at its bound is not read after each match.
	keepSlack = 16
	// cutAge is how long a recording without an end is left alone: another process may be
	// writing it.
	cutAge = 24 * time.Hour
	// lookEvery is how often a folder is read for the age of what is in it.
	lookEvery = time.Minute
	// longestEnd is how long the last line may be in a file that was finished and not
	// compressed, in bytes.
	longestEnd = 1 << 20
)

// Keeper deletes the oldest finished recordings of a folder. Recordings that are being
// written stay, and so do the newest finished one, links, and files that are no
// recordings. All recorders that write to the folder should have the same one.
//
// It reads the folder in a goroutine of its own when that may be necessary, which
// Close waits for. A nil Keeper keeps all.
type Keeper struct {
	dir  string
	keep Keep
	tell func(Tidied)
	work sync.WaitGroup

	mu     sync.Mutex // guards all below
	open   map[string]bool
	room   int64     // bytes that may come before the folder is read again
	files  int       // the same for files
	next   time.Time // when it is read again for their age
	busy   bool
	again  bool // it is to be read once more
	closed bool
}

// NewKeeper makes the keeper of a folder. tell is told by any goroutine when
// something was deleted, or could not be; it may be nil.
func NewKeeper(dir string, k Keep, tell func(Tidied)) *Keeper {
	if tell == nil {
		tell = func(Tidied) {}
	}
	return &Keeper{dir: dir, keep: k, tell: tell, open: map[string]bool{}}
}

// Tidy has the folder read now.
func (k *Keeper) Tidy() {
	if k == nil || k.keep == (Keep{}) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.begin()
}

// Close waits for what is under way. Nothing is deleted after it.
func (k *Keeper) Close() {
	if k == nil {
		return
	}
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.work.Wait()
}

// opened notes that a recorder writes a file, finished that it does no longer.
func (k *Keeper) opened(path string) {
	if k == nil || k.keep == (Keep{}) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.open[filepath.Base(path)] = true
}

func (k *Keeper) finished(path string) {
	if k == nil || k.keep == (Keep{}) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.open, filepath.Base(path))
	k.files--
	if k.keep.Bytes > 0 && k.room < 0 || k.keep.Files > 0 && k.files < 0 || k.keep.Age > 0 && time.Now().After(k.next) {
		k.begin()
	}
}

// wrote notes that a file has grown.
func (k *Keeper) wrote(n int) {
	if k == nil || k.keep.Bytes == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.room -= int64(n); k.room < 0 {
		k.begin()
	}
}

// begin starts to read the folder, or has it read once more if that is under way. The caller holds mu.
func (k *Keeper) begin() {
	switch {
	case k.closed:
		return
	case k.busy:
		k.again = true
		return
	}
	k.busy = true
	panics.Go(&k.work, k.tidyAll, func(p *panics.Error) {
		k.mu.Lock()
		k.busy = false
		k.mu.Unlock()
		k.tell(Tidied{Err: p})
	})
}

func (k *Keeper) tidyAll() {
	for {
		done := k.tidy()
		if done != (Tidied{}) {
			k.tell(done)
		}
		k.mu.Lock()
		if !k.again || k.closed {
			k.busy = false
			k.mu.Unlock()
			return
		}
		k.again = false
		k.mu.Unlock()
	}
}

// kept is a file in the folder.
type kept struct {
	name string
	size int64
	time time.Time // when it was written last
}

// list returns the recordings in the folder that this process does not write, the
// oldest first, and how many bytes all have.
func (k *Keeper) list() (list []kept, bytes int64, err error) {
	k.mu.Lock()
	open := maps.Clone(k.open)
	k.mu.Unlock()
	entries, err := os.ReadDir(k.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil // nothing was recorded so far
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), Extension) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it is gone
		}
		bytes += info.Size()
		if !open[e.Name()] {
			list = append(list, kept{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b kept) int { return cmp.Or(a.time.Compare(b.time), strings.Compare(a.name, b.name)) })
	return list, bytes, err
}

// tidy deletes what is beyond the bounds.
func (k *Keeper) tidy() (done Tidied) {
	list, total, err := k.list()
	done.Err = err
	files, most, least := len(list), k.keep.Files, k.keep.Bytes
	if least > 0 && total > least {
		least -= least / keepSlack
	}
	if most > 0 && files <= most+most/keepSlack {
		most = 0
	}
	now := time.Now()
	for i, f := range list {
		old := k.keep.Age > 0 && now.Sub(f.time) > k.keep.Age
		if !old && (least == 0 || total <= least) && (most == 0 || files <= most) || i == len(list)-1 {
			break
		}
		if !k.over(f, now) {
			continue
		}
		if err := os.Remove(filepath.Join(k.dir, f.name)); err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				done.Err = err
			}
			continue
		}
		done.Files++
		done.Bytes += f.size
		total -= f.size
		files--
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.room, k.next = k.keep.Bytes-total, now.Add(lookEvery)
	// If nothing can be deleted, the folder is not read again for each line.
	k.room = max(k.room, k.keep.Bytes/keepSlack)
	k.files = max(k.keep.Files+k.keep.Files/keepSlack-files, 0)
	return done
}

// over says whether a file is a recording that nothing will be added to.
func (k *Keeper) over(f kept, now time.Time) bool {
	file, err := os.Open(filepath.Join(k.dir, f.name))
	if err != nil {
		return false
	}
	defer file.Close()
	r, err := NewReader(file, f.size)
	if err != nil {
		return false
	}
	defer r.Close()
	return r.whole || now.Sub(f.time) > cutAge || hasEnd(file, f.size)
}

// hasEnd says whether the last line of a file that is not compressed is the end of
// its match.
func hasEnd(r io.ReaderAt, size int64) bool {
	tail := make([]byte, min(size, longestEnd))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false
	}
	text, whole := bytes.CutSuffix(tail, []byte("\n"))
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	return whole && len(line) > lineHead && bytes.HasPrefix(line[lineHead:], []byte(`{"end":`))
}

// mostBytes is how large a recording may become unless a Keeper bounds it, in bytes of
// lines: some 60 000 turns of a dozen players.
const mostBytes = 512 << 20

// most is how many bytes one recording may have: half of what the folder may, so that no
// match displaces all others.
func (k *Keeper) most() int64 {
	if k == nil || k.keep.Bytes == 0 {
		return mostBytes
	}
	return k.keep.Bytes / 2
}

// fullError says that a recording has reached its bound.
type fullError struct{ most int64 }

func (e *fullError) Error() string {
	return fmt.Sprintf("it has %d MiB, the most that one recording may have; the match goes on", e.most>>20)
}
