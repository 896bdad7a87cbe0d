//go:build unix

package session

import "syscall"

// directWriter writes to a socket without blocking: a turn takes one system call per
// client, made by the match's own goroutine.
type directWriter struct {
	raw syscall.RawConn
	try func(fd uintptr) bool // made once, so that a write allocates nothing
	msg []byte
	n   int
}

func (d *directWriter) init(raw syscall.RawConn) {
	d.raw = raw
	d.try = func(fd uintptr) bool {
		n, err := syscall.Write(int(fd), d.msg)
		d.n = 0
		if err == nil {
			d.n = n
		}
		return true // in any case: do not wait for the socket
	}
}

// TryWrite writes as many bytes as the socket accepts now and returns their number. An
// error shows at the next blocking write.
func (d *directWriter) TryWrite(msg []byte) int {
	if d.raw == nil {
		return 0
	}
	d.msg, d.n = msg, 0
	if d.raw.Write(d.try) != nil {
		d.n = 0
	}
	d.msg = nil
	return d.n
}
