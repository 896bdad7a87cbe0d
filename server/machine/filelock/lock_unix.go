//go:build !windows

package filelock

import (
	"io/fs"
	"os"
	"syscall"
)

// Lock locks a file for this process, until it is closed, or reports that another one has it.
func Lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// Unlock unlocks and closes a file. A process that is just being started still has a copy of the
// file, with the lock, if it is only closed.
func Unlock(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	_ = f.Close()
}

// owned reports whether a file belongs to the user of this process.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
