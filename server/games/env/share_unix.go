//go:build unix

package env

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// share maps a file of that size, which the program that started this one has made and
// maps as well.
func share(path string, size int) (memory []byte, unmap func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	// written, since a write to memory that the file system has no place for ends the program
	if _, err = io.CopyN(f, zeros{}, int64(size)); err == nil {
		memory, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, err
	}
	return memory, func() { _ = unix.Munmap(memory) }, nil
}

// zeros reads as zeros without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
