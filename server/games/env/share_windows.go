package env

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// share maps a file of that size, which the program that started this one has made and
// maps as well.
func share(path string, size int) (memory []byte, unmap func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := f.Truncate(int64(size)); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READWRITE, 0, 0, nil)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, err
	}
	at, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err = errors.Join(err, windows.CloseHandle(h)); err != nil {
		return nil, nil, err
	}
	// The conversion through a pointer tells vet that the address is not in Go's heap.
	memory = unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size)
	return memory, func() { _ = windows.UnmapViewOfFile(at) }, nil
}
