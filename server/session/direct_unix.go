//go:build unix

package session

import (
	"io"
	"net"
	"os"
	"syscall"
)

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
		n, err := writeNow(fd, d.msg)
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

// directReader reads from a socket, by the same kind of call. It belongs to one goroutine.
type directReader struct {
	conn net.Conn
	raw  syscall.RawConn
	try  func(fd uintptr) bool // made once, so that a read allocates nothing
	buf  []byte
	n    int
	err  error
}

// readerOf returns what reads from conn: a directReader, or conn itself if that is no socket.
func readerOf(conn net.Conn) io.Reader {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return conn
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return conn
	}
	r := &directReader{conn: conn, raw: raw}
	r.try = func(fd uintptr) bool {
		r.n, r.err = readNow(fd, r.buf)
		return r.err != syscall.EAGAIN // false: wait until the socket has input
	}
	return r
}

// Read implements io.Reader. Its errors are those of the connection's Read.
func (r *directReader) Read(b []byte) (int, error) {
	r.buf = b
	err := r.raw.Read(r.try)
	r.buf = nil
	switch op, ok := err.(*net.OpError); {
	case ok:
		op.Op = "read"
		return 0, err
	case err != nil:
		return 0, err
	case r.err != nil:
		return 0, &net.OpError{
			Op: "read", Net: r.conn.LocalAddr().Network(), Source: r.conn.LocalAddr(),
			Addr: r.conn.RemoteAddr(), Err: os.NewSyscallError("read", r.err),
		}
	case r.n == 0:
		return 0, io.EOF
	}
	return r.n, nil
}
