//go:build !windows

package cup

import (
	"os"
	"syscall"
)

// lockFile locks a file for this process, until it is closed, or reports that another one has it.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
