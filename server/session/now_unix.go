//go:build unix && (!linux || race)

package session

import "syscall"

// readNow reads from a socket that does not block. The race detector needs to know the call.
func readNow(fd uintptr, b []byte) (int, error) {
	n, err := syscall.Read(int(fd), b)
	return max(n, 0), err
}

// writeNow writes to one.
func writeNow(fd uintptr, b []byte) (int, error) { return syscall.Write(int(fd), b) }
