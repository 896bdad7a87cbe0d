package sim

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Storage holds files through crashes. A generation of the server uses them by a [Disk]. What
// was not synced when the machine crashes is lost, torn or there, as is drawn for each write;
// so are names of files until their folder is synced. That is what POSIX promises, and no
// more; Pillai et al., "All File Systems Are Not Created Equal" (OSDI 2014), show that file
// systems differ in the rest. Folders are durable once they are made.
//
// The numbers drawn for a file depend on the seed, its path and the operations on it, not on
// what other goroutines do to other files.
type Storage struct {
	seed  uint64
	usual time.Duration // the most time that an operation takes without trouble

	mu      sync.Mutex // guards all below; it is not held while an operation takes time
	trouble Trouble
	slowest time.Duration // of all troubles
	folders map[string]bool
	names   map[string]*inode // by path, as programs see them
	stable  map[string]*inode // by path, as they were at the last sync of their folder
	pending []naming          // what programs did to names since then, in order
	streams map[string]*rand.Rand
	disks   []*Disk
}

// naming is a change of names: a file gets the name to and, if from is not empty, loses that
// one, at once. Without to it is removed.
type naming struct {
	file     *inode
	from, to string
}

// Trouble is what is wrong with a disk.
type Trouble struct {
	ReadOnly bool
	Space    int64         // bytes of all files; 0: no limit
	Errors   float64       // the probability that an operation fails
	Slow     time.Duration // the most time that an operation takes
}

// NewStorage returns an empty storage. All that happens to it by chance is drawn from seed.
func NewStorage(seed uint64) *Storage {
	return &Storage{
		seed: seed, folders: map[string]bool{}, names: map[string]*inode{}, stable: map[string]*inode{},
		streams: map[string]*rand.Rand{},
	}
}

// Mount returns a disk that has the storage's files, until the next crash.
func (s *Storage) Mount() *Disk {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &Disk{storage: s}
	s.disks = append(s.disks, d)
	return d
}

// Trouble sets what is wrong from now on.
func (s *Storage) Trouble(t Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.slowest = t, max(s.slowest, t.Slow)
}

// peek returns what programs see of a file, without delay.
func (s *Storage) peek(path string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.names[path]; f != nil {
		return slices.Clone(f.data)
	}
	return nil
}

// inTrouble reports whether something is wrong.
func (s *Storage) inTrouble() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble != Trouble{}
}

// calm ends the trouble, and returns how long operations took at the most so far.
func (s *Storage) calm() (slow time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = Trouble{}
	return s.slowest
}

// Kill ends the disks that were mounted, as if their program were killed: what it wrote is
// there, but nothing that it still does has an effect.
func (s *Storage) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unmount()
}

// Crash ends the disks that were mounted, as if the power failed.
func (s *Storage) Crash() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unmount()
	for _, n := range s.pending {
		if rnd := s.stream(n.path()); rnd.IntN(2) == 0 {
			n.apply(s.stable)
		}
	}
	s.pending, s.names = nil, maps.Clone(s.stable)
	for _, path := range slices.Sorted(maps.Keys(s.names)) {
		s.names[path].crash(s.stream(path))
	}
}

// unmount ends all disks. The caller holds mu.
func (s *Storage) unmount() {
	for _, d := range s.disks {
		d.ended = true
	}
	s.disks = nil
}

// path returns the name that is gained or lost.
func (n *naming) path() string {
	if n.to != "" {
		return n.to
	}
	return n.from
}

// apply changes names. Changes that came before it may have been lost.
func (n *naming) apply(names map[string]*inode) {
	if n.from != "" && names[n.from] == n.file {
		delete(names, n.from)
	}
	if n.to != "" {
		names[n.to] = n.file
	}
}

// rename changes names now, and for good at the next sync of the folder. The caller holds mu.
func (s *Storage) rename(n naming) {
	n.apply(s.names)
	s.pending = append(s.pending, n)
}

// syncNames makes the names in a folder durable. The caller holds mu.
func (s *Storage) syncNames(dir string) {
	s.pending = slices.DeleteFunc(s.pending, func(n naming) bool {
		if filepath.Dir(n.path()) != dir {
			return false
		}
		n.apply(s.stable)
		return true
	})
}

// free returns by how many bytes files may grow. The caller holds mu.
func (s *Storage) free() int64 {
	if s.trouble.Space == 0 {
		return math.MaxInt64 / 2 // so that a file's own bytes may be added
	}
	used := int64(0)
	for _, f := range s.names {
		used += int64(len(f.data))
	}
	return max(0, s.trouble.Space-used)
}

// stream returns the random stream of a path. The caller holds mu.
func (s *Storage) stream(path string) *rand.Rand {
	if s.streams[path] == nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(path))
		s.streams[path] = rand.New(rand.NewPCG(s.seed, h.Sum64()))
	}
	return s.streams[path]
}

// errCrashed is what a disk says after a crash to a server that does not know it yet.
var errCrashed = errors.New("the disk is gone")

// refusal returns why an operation on a path fails, if it does. The caller holds mu.
func (s *Storage) refusal(d *Disk, path string, writes bool) error {
	switch {
	case d.ended:
		return errCrashed
	case writes && s.trouble.ReadOnly:
		return &fs.PathError{Op: "write", Path: path, Err: syscall.EROFS}
	case s.trouble.Errors > 0 && s.stream(path).Float64() < s.trouble.Errors:
		return &fs.PathError{Op: "access", Path: path, Err: syscall.EIO}
	}
	return nil
}

// wait waits for the time that an operation on a path takes. On a disk that is gone it takes none
// and draws no number: what a server does that was killed depends on the order of goroutines, and
// must not change the times of the next one.
func (s *Storage) wait(d *Disk, path string) {
	s.mu.Lock()
	var took time.Duration
	if most := max(s.trouble.Slow, s.usual); most > 0 && !d.ended {
		took = time.Duration(s.stream(path).Int64N(int64(most)) + 1)
	}
	s.mu.Unlock()
	if took > 0 {
		time.Sleep(took)
	}
}
