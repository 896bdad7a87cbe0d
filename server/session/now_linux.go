//go:build linux && !race && !msan && !asan

package session

import (
	"syscall"
	"unsafe"
)

// readNow reads from a socket that does not block. It does not tell Go's scheduler of the system
// call, as those that may block need: the first one of each turn would wake the scheduler's monitor
// thread, which finds nothing to do. See processors.WakeMonitor.
func readNow(fd uintptr, b []byte) (int, error) { return callNow(syscall.SYS_READ, fd, b) }

// writeNow writes to one.
func writeNow(fd uintptr, b []byte) (int, error) { return callNow(syscall.SYS_WRITE, fd, b) }

func callNow(call, fd uintptr, b []byte) (int, error) {
	for {
		n, _, err := syscall.RawSyscall(
			call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
		)
		switch err {
		case 0:
			return int(n), nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, syscall.EAGAIN // a constant, which allocates nothing
		default:
			return 0, err
		}
	}
}
