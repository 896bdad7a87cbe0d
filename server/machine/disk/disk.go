// Package disk is where recordings and the logs of cups are: the operating system's files, or those
// of a test that loses what was not synced.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// Disk holds files. Errors are those of package io/fs.
type Disk interface {
	// Create creates a file that does not exist yet, which only the owner and the group may read, and
	// the folder that it is in. The folder survives a power failure.
	Create(path string) (File, error)
	// CreateSecret is Create for a file that only the owner may read. It takes the place of one that
	// exists.
	CreateSecret(path string) (File, error)
	// Open opens a regular file for reading. A device may have no end, and a pipe keeps its reader
	// waiting.
	Open(path string) (File, error)
	// OpenWrite opens a file for reading and writing, and creates it, for all to read, if it is
	// missing.
	OpenWrite(path string) (File, error)
	// List returns the entries of a folder.
	List(dir string) ([]fs.DirEntry, error)
	// Remove deletes a file.
	Remove(path string) error
	// Rename gives a file another name in the same folder, in place of the file that has it.
	Rename(from, to string) error
	// SyncDir makes the names of the files in a folder survive a power failure. It is no error
	// if a system has no means to do so.
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

// Or returns d or, if that is nil, the operating system's disk.
func Or(d Disk) Disk {
	if d == nil {
		return system{}
	}
	return d
}

const (
	// maxFile limits a file that describes something, such as a plan: that of 3000 bots has 1 MiB. The
	// folder of a cup may come from a stranger.
	maxFile = 16 << 20

	// maxLog limits a log that is read as a whole, and a checkpoint. The log of an event's day has a
	// few MiB, the checkpoint of a cup of 3000 bots 100 MiB.
	maxLog = 1 << 30
)

// ReadFile returns the content of a regular file of up to 16 MiB.
func ReadFile(d Disk, path string) ([]byte, error) { return readUpTo(d, path, maxFile) }

// ReadLog returns the content of a regular file of up to a gibibyte.
func ReadLog(d Disk, path string) ([]byte, error) { return readUpTo(d, path, maxLog) }

func readUpTo(d Disk, path string, most int64) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(From(f, 0), most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &fs.PathError{
			Op: "read", Path: path, Err: fmt.Errorf("it has more than %d MiB", most>>20),
		}
	}
	return text, err
}

// From returns what a file has from an offset on.
func From(f File, offset int64) io.Reader { return io.NewSectionReader(f, offset, 1<<62-offset) }

// rewritten is the number of bytes Recover writes again: more than a program appends between two
// syncs, which for a cup is what it plays in a tenth of a second.
const rewritten = 4 << 20

// Recover readies a file to which an earlier program appended for more: it cuts off what follows
// the first end bytes, and has these on the disk. The last of them are written again, since a
// failed sync may have lost what programs still see (Rebello et al., "Can Applications Recover from
// fsync Failures?", USENIX ATC 2020).
func Recover(f File, end int64) error {
	last := make([]byte, min(end, rewritten))
	from := end - int64(len(last))
	_, err := io.ReadFull(From(f, from), last)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.WriteAt(last, from)
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

// WriteFile writes a file so that it has all of the text or what it had before, also after a crash.
func WriteFile(d Disk, path string, text []byte) error {
	return replace(d, path, text, d.OpenWrite)
}

// WriteSecret is WriteFile for a file that only the owner may read.
func WriteSecret(d Disk, path string, text []byte) error {
	return replace(d, path, text, d.CreateSecret)
}

// replace writes a text to another file, which open opens, and gives that one the name of the file.
func replace(d Disk, path string, text []byte, open func(path string) (File, error)) error {
	part := path + ".part" // what a crash leaves of it is overwritten
	f, err := open(part)
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
