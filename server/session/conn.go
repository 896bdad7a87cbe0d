package session

import (
	"net"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Grow returns buf with room for n more bytes after its length, or an error if the
// message must not grow that large.
type Grow = netorcai.Grow

// Conn is the connection of one session, over any wire. One goroutine reads, and the
// session writes one message at a time. The other methods may be called at any time.
type Conn interface {
	// ReadMessage reads the content of one message of at most limit bytes into buf, or
	// into a larger buffer that it gets from grow as bytes arrive, regardless of the size
	// that the peer announces. The text of its error completes a kick reason: the error is
	// a [*netorcai.SizeError], a [*netorcai.ReadError] if the connection broke, ended
	// or reached its deadline, grow's error, or one of the wire's own.
	ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error)
	// TryWrite writes as much of a frame as it can without blocking and returns the number
	// of bytes. A frame is a message with netorcai's framing.
	TryWrite(frame []byte) int
	// Write writes a frame, or what TryWrite left of it, and may block.
	Write(frame []byte) (int, error)
	// CloseWrite ends the messages. It may block unless everything was written by
	// TryWrite.
	CloseWrite() error
	// Discard reads and drops at most limit bytes, until the peer closes the connection.
	// It returns their number, and the error if the read deadline ended it. No message
	// can be read after it.
	Discard(limit int64) (bytes int64, err error)
	// NetConn returns the network connection that carries the messages, or nil.
	NetConn() net.Conn
	// SetReadDeadline sets the deadline of current and future reads, SetWriteDeadline that
	// of writes.
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
	RemoteAddr() net.Addr
	Close() error
}
