//go:build unix && (!linux || race || msan || asan)

package session

import "syscall"

// readNow reads from a socket that does not block. Detectors such as that of races need to know of
// the call, and other systems than Linux have no monitor thread that it would wake.
func readNow(fd uintptr, b []byte) (int, error) { return callNow(syscall.Read, fd, b) }

// writeNow writes to one.
func writeNow(fd uintptr, b []byte) (int, error) { return callNow(syscall.Write, fd, b) }

func callNow(call func(int, []byte) (int, error), fd uintptr, b []byte) (int, error) {
	for {
		if n, err := call(int(fd), b); err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
