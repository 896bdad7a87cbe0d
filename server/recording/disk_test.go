package recording

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// memory is a disk in memory, whose files are by path.
type memory struct {
	disk.Disk            // nil: what recordings do not need
	mu        sync.Mutex // guards the fields below
	files     map[string]*memoryFile
	age       time.Duration // of the next file
}

type memoryFile struct {
	disk    *memory
	path    string
	data    []byte
	written time.Time
}

func (m *memory) Create(path string) (disk.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[path] != nil {
		return nil, fs.ErrExist
	}
	m.age -= time.Minute
	f := &memoryFile{disk: m, path: path, written: time.Now().Add(m.age - time.Hour)}
	m.files[path] = f
	return f, nil
}

func (m *memory) Open(path string) (disk.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[path]; f != nil {
		return f, nil
	}
	return nil, fs.ErrNotExist
}

func (m *memory) List(dir string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	tree := fstest.MapFS{}
	for path, f := range m.files {
		if name, in := strings.CutPrefix(path, dir+string(filepath.Separator)); in {
			tree[name] = &fstest.MapFile{Data: f.data, ModTime: f.written}
		}
	}
	return tree.ReadDir(".")
}

func (m *memory) Remove(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, path)
	return nil
}

func (m *memory) SyncDir(string) error { return nil }

func (m *memory) Deleted(f disk.File) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[f.Name()] != f
}

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return bytes.NewReader(f.data).ReadAt(b, at)
}

func (f *memoryFile) WriteAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if end := int(at) + len(b); end > len(f.data) {
		f.data = append(f.data, make([]byte, end-len(f.data))...)
	}
	return copy(f.data[at:], b), nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.data = f.data[:size]
	return nil
}

func (f *memoryFile) Name() string               { return f.path }
func (f *memoryFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
func (f *memoryFile) Sync() error                { return nil }
func (f *memoryFile) Close() error               { return nil }

// Recorders and keepers have their files on the disk that they are given.
func TestOnAnotherDisk(t *testing.T) {
	disk := &memory{files: map[string]*memoryFile{}}
	dir := filepath.Join("a", "folder")
	var newest string
	for range 3 {
		m := small(20)
		o := m.options(t)
		o.Rules, o.Disk, o.Dir = gameProxy{m}, disk, dir
		r := New(o)
		m.play(t, r)
		r.Ended(m.ending())
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		if newest == "" {
			newest = r.Path() // each later one is older
		}
		data := disk.files[r.Path()].data
		reader, err := NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if s := reader.Summary(); s.Turns != 20 || s.End == nil || !reader.whole {
			t.Errorf("%s: %+v, want 20 turns, compressed", r.Path(), s)
		}
		reader.Close()
	}
	k := NewKeeper(disk, dir, Keep{Files: 1}, nil)
	k.Tidy()
	k.Close()
	if len(disk.files) != 1 || disk.files[newest] == nil {
		t.Errorf("left are %v, want %s", disk.files, newest)
	}
}
