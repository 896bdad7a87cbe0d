package session

import (
	"net"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Grow returns buf with room for n more bytes behind its length, or an error if the
// message may not have them.
type Grow = netorcai.Grow

// Conn is the wire of one session. One goroutine reads; the session sees to it
// that messages are written one after another. The other methods are anybody's.
type Conn interface {
	// ReadMessage reads the content of one message of at most limit bytes, into
	// buf or into a larger buffer, which it gets from grow as bytes arrive, never on
	// the peer's word. What it says of a message that it cannot read completes a kick
	// reason: a [*netorcai.SizeError], a [*netorcai.ReadError] for a connection
	// that broke, ended or had its deadline, grow's error, or one of the wire's own.
	ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error)
	// TryWrite writes what goes out of a frame without waiting, and says how much
	// that is. A frame is a message as netorcai frames it.
	TryWrite(frame []byte) int
	// Write writes a frame, or what TryWrite left of it, and waits for that.
	Write(frame []byte) (int, error)
	// CloseWrite says that no more messages will come. It may wait unless
	// everything was written by TryWrite.
	CloseWrite() error
	// Discard reads at most that many bytes and throws them away, until the peer hangs
	// up. It returns how many there were, and the deadline's error if that ended it. No
	// message is read after it.
	Discard(most int64) (bytes int64, err error)
	// Unacked returns how many of the bytes written the peer has not acknowledged; known
	// is false where that cannot be told.
	Unacked() (bytes int, known bool)
	// SetReadDeadline ends reading, SetWriteDeadline writing, also what is under
	// way.
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
	RemoteAddr() net.Addr
	Close() error
}
