// Package disk is where the log of a cup is: the operating system's files, or those of a test that
// loses what was not synced.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk holds files. Errors are those of package io/fs.
type Disk interface {
	// Open opens a file for reading.
	Open(path string) (File, error)
	// OpenWrite opens a file for reading and writing, and makes it if it is missing.
	OpenWrite(path string) (File, error)
	// Rename gives a file another name in the same folder, in place of the file that has it.
	Rename(from, to string) error
	// SyncDir makes the names of the files in a folder survive a loss of power, where the system can do
	// that.
	SyncDir(dir string) error
}

// File is an open file. *os.File implements it.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// Or returns d or, if that is nil, the operating system's disk.
func Or(d Disk) Disk {
	if d == nil {
		return system{}
	}
	return d
}

// ReadFile returns the content of a file.
func ReadFile(d Disk, path string) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(From(f, 0))
}

// From returns what a file has from an offset on.
func From(f File, offset int64) io.Reader { return io.NewSectionReader(f, offset, 1<<62-offset) }

// WriteFile writes a file so that it has all of the text or what it had before, also after a crash.
func WriteFile(d Disk, path string, text []byte) error {
	part := path + ".part" // what a crash leaves of it is overwritten
	f, err := d.OpenWrite(part)
	if err != nil {
		return err
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt(text, 0)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.Rename(part, path); err != nil {
		return err
	}
	return d.SyncDir(filepath.Dir(path))
}

// system is the operating system's disk.
type system struct{}

func (system) Open(path string) (File, error) { return os.Open(path) }

func (system) OpenWrite(path string) (File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}

func (system) Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir ignores errors: Windows cannot sync folders, nor can some file systems.
func (system) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	_ = d.Close()
	return nil
}
