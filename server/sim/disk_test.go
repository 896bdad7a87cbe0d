package sim

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// Disk is what one generation of the server sees of a [Storage], until it crashes. It
// implements disk.Disk. Afterwards nothing has an effect, and all fails.
type Disk struct {
	storage *Storage
	ended   bool // guarded by the storage's mutex
}

// Ended reports whether the disk is gone, by a crash.
func (d *Disk) Ended() bool {
	d.storage.mu.Lock()
	defer d.storage.mu.Unlock()
	return d.ended
}

// do waits for the time of an operation and then calls act, unless the operation fails.
func (d *Disk) do(path string, writes bool, act func() error) error {
	s := d.storage
	s.wait(d, path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refusal(d, path, writes); err != nil {
		return err
	}
	return act()
}

// Create implements disk.Disk.
func (d *Disk) Create(path string) (disk.File, error) {
	path = filepath.Clean(path)
	f := &file{disk: d, path: path, inode: &inode{written: time.Now()}}
	err := d.do(path, true, func() error {
		if d.storage.names[path] != nil {
			return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		}
		d.storage.folders[filepath.Dir(path)] = true
		d.storage.rename(naming{file: f.inode, to: path})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// CreateSecret implements disk.Disk.
func (d *Disk) CreateSecret(path string) (disk.File, error) {
	f, err := d.OpenWrite(path)
	if err == nil {
		err = f.Truncate(0)
	}
	return f, err
}

// OpenWrite implements disk.Disk.
func (d *Disk) OpenWrite(path string) (disk.File, error) {
	f, err := d.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d.Create(path)
	}
	return f, err
}

// Open implements disk.Disk.
func (d *Disk) Open(path string) (disk.File, error) {
	path = filepath.Clean(path)
	f := &file{disk: d, path: path}
	err := d.do(path, false, func() error {
		if f.inode = d.storage.names[path]; f.inode == nil {
			return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// List implements disk.Disk. The entries are sorted by name.
func (d *Disk) List(dir string) (list []fs.DirEntry, err error) {
	dir = filepath.Clean(dir)
	err = d.do(dir, false, func() error {
		if !d.storage.folders[dir] {
			return &fs.PathError{Op: "list", Path: dir, Err: fs.ErrNotExist}
		}
		for path, f := range d.storage.names {
			if filepath.Dir(path) == dir {
				list = append(list, fs.FileInfoToDirEntry(f.info(path)))
			}
		}
		return nil
	})
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// Remove implements disk.Disk.
func (d *Disk) Remove(path string) error {
	path = filepath.Clean(path)
	return d.do(path, true, func() error {
		f := d.storage.names[path]
		if f == nil {
			return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
		}
		d.storage.rename(naming{file: f, from: path})
		return nil
	})
}

// Rename implements disk.Disk.
func (d *Disk) Rename(from, to string) error {
	from, to = filepath.Clean(from), filepath.Clean(to)
	return d.do(to, true, func() error {
		f := d.storage.names[from]
		if f == nil {
			return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
		}
		d.storage.rename(naming{file: f, from: from, to: to})
		return nil
	})
}

// SyncDir implements disk.Disk.
func (d *Disk) SyncDir(dir string) error {
	dir = filepath.Clean(dir)
	return d.do(dir, false, func() error {
		d.storage.syncNames(dir)
		return nil
	})
}

// Deleted implements disk.Disk.
func (d *Disk) Deleted(f disk.File) bool {
	ours := f.(*file)
	d.storage.mu.Lock()
	defer d.storage.mu.Unlock()
	return !d.ended && d.storage.names[ours.path] != ours.inode
}

// file is an open file. It implements disk.File.
type file struct {
	disk   *Disk
	path   string
	inode  *inode
	closed bool // guarded by the storage's mutex
}

// begin waits for the time of an operation and then locks the storage. It returns why the
// operation fails, if it does.
func (f *file) begin(writes bool) error {
	s := f.disk.storage
	s.wait(f.disk, f.path)
	s.mu.Lock()
	if f.closed {
		return &fs.PathError{Op: "access", Path: f.path, Err: fs.ErrClosed}
	}
	return s.refusal(f.disk, f.path, writes)
}

// Name implements disk.File.
func (f *file) Name() string { return f.path }

// Close implements disk.File.
func (f *file) Close() error {
	f.disk.storage.mu.Lock()
	defer f.disk.storage.mu.Unlock()
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.path, Err: fs.ErrClosed}
	}
	f.closed = true
	return nil
}

// ReadAt implements disk.File.
func (f *file) ReadAt(b []byte, at int64) (int, error) {
	err := f.begin(false)
	defer f.disk.storage.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(f.inode.data).ReadAt(b, at)
}

// WriteAt implements disk.File. A write that fails may have written a part.
func (f *file) WriteAt(b []byte, at int64) (n int, err error) {
	s := f.disk.storage
	err = f.begin(true)
	defer s.mu.Unlock()
	n = len(b)
	switch {
	case errors.Is(err, syscall.EIO):
		n = s.stream(f.path).IntN(n + 1)
	case err != nil:
		return 0, err
	}
	if room := s.free() + max(0, int64(len(f.inode.data))-at); int64(n) > room {
		n, err = int(room), &fs.PathError{Op: "write", Path: f.path, Err: syscall.ENOSPC}
	}
	if n > 0 {
		f.inode.write(b[:n], at)
	}
	return n, err
}

// Truncate implements disk.File.
func (f *file) Truncate(size int64) error {
	err := f.begin(true)
	defer f.disk.storage.mu.Unlock()
	if err == nil {
		f.inode.truncate(size)
	}
	return err
}

// Sync implements disk.File. It makes durable what was written before it began.
func (f *file) Sync() error {
	s := f.disk.storage
	s.mu.Lock()
	upTo := f.inode.changes
	s.mu.Unlock()
	err := f.begin(false)
	defer s.mu.Unlock()
	switch {
	case err == nil:
		f.inode.sync(upTo)
	case errors.Is(err, syscall.EIO):
		f.inode.lose(upTo, s.stream(f.path))
	}
	return err
}

// Stat implements disk.File.
func (f *file) Stat() (fs.FileInfo, error) {
	err := f.begin(false)
	defer f.disk.storage.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return f.inode.info(f.path), nil
}

// info returns what is known of a file. The caller holds the storage's mutex.
func (f *inode) info(path string) fs.FileInfo {
	return fileInfo{name: filepath.Base(path), size: int64(len(f.data)), written: f.written}
}

// fileInfo implements fs.FileInfo.
type fileInfo struct {
	name    string
	size    int64
	written time.Time
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return 0o640 }
func (i fileInfo) ModTime() time.Time { return i.written }
func (i fileInfo) IsDir() bool        { return false }
func (i fileInfo) Sys() any           { return nil }
