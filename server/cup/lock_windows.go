package cup

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks a file for this process, until it is closed, or reports that another one has it. The
// locked byte is far behind the text, which others may read.
func lockFile(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
