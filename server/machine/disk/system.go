package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// system is the operating system's disk.
type system struct{}

// Modes of files and folders that [Disk.Create] makes. Recordings have the addresses of players, so
// that only the owner and the group, such as that of a backup, may read them.
const (
	privateFile   = 0o640
	PrivateFolder = 0o750 // for [MakeFolder] as well
)

func (system) Create(path string) (File, error) {
	if err := MakeFolder(filepath.Dir(path), PrivateFolder); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, privateFile)
}

func (system) CreateSecret(path string) (File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

func (system) Open(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")}
	}
	return os.Open(path)
}

func (system) OpenWrite(path string) (File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}

func (system) List(dir string) ([]fs.DirEntry, error) { return os.ReadDir(dir) }
func (system) Remove(path string) error               { return os.Remove(path) }
func (system) Rename(from, to string) error           { return os.Rename(from, to) }
func (system) SyncDir(dir string) error               { return syncFolder(dir) }

func (system) Deleted(f File) bool {
	there, err := os.Stat(f.Name())
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	ours, err := f.Stat()
	return err == nil && !os.SameFile(there, ours)
}

// MakeFolder makes a folder, and those above it, if they are missing. They survive a power failure.
func MakeFolder(dir string, mode fs.FileMode) error {
	var changed []string // folders with new names
	for dir := filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		changed = append(changed, filepath.Dir(dir))
	}
	err := os.MkdirAll(dir, mode)
	for _, dir := range changed {
		err = errors.Join(err, syncFolder(dir))
	}
	return err
}

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
