package netconn

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func unacked(c syscall.Conn) (bytes int, known bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	var failed error
	read := func(fd uintptr) { bytes, failed = unix.IoctlGetInt(int(fd), unix.SIOCOUTQ) }
	if err := raw.Control(read); err != nil || failed != nil {
		return 0, false
	}
	return bytes, true
}
