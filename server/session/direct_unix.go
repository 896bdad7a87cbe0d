//go:build unix

package session

import "syscall"

// directWriter writes to a socket without waiting: a turn goes out in one
// system call a client, from the match's own goroutine.
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
		return true // whatever came of it: do not wait for the socket
	}
}

// write writes what the socket takes now and says how much that was. An error
// shows at the next write that waits.
func (d *directWriter) write(msg []byte) int {
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
