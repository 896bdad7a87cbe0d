package filelock

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks a file for this process, until it is closed, or reports that another one has it. The
// locked byte is far behind the text, which others may read.
func Lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0,
		&windows.Overlapped{OffsetHigh: 1 << 30})
}

// Unlock unlocks and closes a file.
func Unlock(f *os.File) { _ = f.Close() }

// owned reports whether a file belongs to the user of this process: the folder of temporary files
// does, on Windows.
func owned(fs.FileInfo) bool { return true }
