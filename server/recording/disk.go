package recording

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Disk is where recorders and keepers have their files. Errors are those of package io/fs.
type Disk interface {
	// Create creates a file that does not exist yet, and the folder that it is in. The folder
	// survives a power failure.
	Create(path string) (File, error)
	// Open opens a file for reading.
	Open(path string) (File, error)
	// List returns the entries of a folder.
	List(dir string) ([]fs.DirEntry, error)
	// Remove deletes a file.
	Remove(path string) error
	// SyncDir makes the names of the files in a folder survive a power failure. That a
	// system has no means to do so is no error.
	SyncDir(dir string) error
	// Deleted reports whether the file's name no longer refers to the file.
	Deleted(f File) bool
}

// File is an open file on a [Disk]. *os.File implements it.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// diskOr returns d or, if that is nil, the operating system's disk.
func diskOr(d Disk) Disk {
	if d == nil {
		return system{}
	}
	return d
}

// Modes of files and folders. Recordings have the addresses of players, so that only the
// owner and the group, such as that of a backup, may read them.
const (
	fileMode   = 0o640
	folderMode = 0o750
)

// system is the operating system's disk.
type system struct{}

func (system) Create(path string) (File, error) {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
}

func (system) Open(path string) (File, error)         { return os.Open(path) }
func (system) List(dir string) ([]fs.DirEntry, error) { return os.ReadDir(dir) }
func (system) Remove(path string) error               { return os.Remove(path) }

func (system) SyncDir(dir string) error { return syncFolder(dir) }

// syncFolder makes the names in a folder survive a power failure. Only a disk that fails is an
// error: Windows cannot sync folders, nor can some file systems, nor this program one that it
// may not read.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); errors.Is(err, syscall.EIO) {
		return err
	}
	return nil
}

// makeFolder makes a folder, and those above it, if they are missing.
func makeFolder(dir string) error {
	var changed []string // folders with new names
	for dir := filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		changed = append(changed, filepath.Dir(dir))
	}
	err := os.MkdirAll(dir, folderMode)
	for _, dir := range changed {
		err = errors.Join(err, syncFolder(dir))
	}
	return err
}

func (system) Deleted(f File) bool {
	there, err := os.Stat(f.Name())
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	ours, err := f.Stat()
	return err == nil && !os.SameFile(there, ours)
}
