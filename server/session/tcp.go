package session

import (
	"bufio"
	"net"
	"syscall"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/netconn"
)

// readBuffer is the buffer size for small messages; large ones bypass the buffer.
const readBuffer = 4 << 10

// tcp is netorcai's own wire: frames in a stream of bytes.
type tcp struct {
	netconn.Wrapped
	in     *bufio.Reader
	direct tryWriter
}

// OverTCP returns the wire of a connection that carries netorcai's frames. It writes without
// blocking if the connection is a socket or has a method TryWrite of its own.
func OverTCP(conn net.Conn) Conn {
	return &tcp{
		Wrapped: netconn.Wrapped{Conn: conn},
		in:      bufio.NewReaderSize(yieldingReader{readerOf(conn)}, readBuffer),
		direct:  directTo(conn),
	}
}

// tryWriter writes without blocking.
type tryWriter interface {
	// TryWrite writes as many bytes as the other end accepts now and returns their number. An
	// error shows at the next blocking write.
	TryWrite(msg []byte) int
}

// directTo returns what writes to out without blocking: out itself, or its file descriptor. To
// anything else it writes nothing.
func directTo(out any) tryWriter {
	direct := new(directWriter)
	switch w := out.(type) {
	case tryWriter:
		return w
	case syscall.Conn:
		if raw, err := w.SyscallConn(); err == nil {
			direct.init(raw)
		}
	}
	return direct
}

// ReadMessage implements Conn.
func (c *tcp) ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error) {
	return netorcai.ReadFrameInto(c.in, buf, limit, grow)
}

// TryWrite implements Conn.
func (c *tcp) TryWrite(frame []byte) int { return c.direct.TryWrite(frame) }

// Discard implements Conn.
func (c *tcp) Discard(limit int64) (int64, error) { return discard(c.Conn, limit) }
