// Package wsconn is a WebSocket connection that carries texts: upgrading, pings, limits of what a
// peer may send, compression, and closing. It starts no goroutine.
package wsconn

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/machine/deflate"
)

const (
	// PingInterval is the time between pings. They keep proxies from closing a connection on
	// which nothing else is sent.
	PingInterval = 20 * time.Second
	// controlTime limits the time to write an answer to a ping or a close frame, which have to
	// wait for a message that is being written.
	controlTime = time.Second
	largePart   = 4 << 10 // bytes; an ordinary answer of a player is smaller
)

// Errors of ReadText.
var (
	ErrBinary  = errors.New("received a binary message, while text was expected")
	ErrControl = errors.New("received too many control frames")
	ErrTooLong = errors.New("received a message that is too long")
)

// NewUpgrader returns an upgrader with buffers of these sizes in bytes, of which those for
// writing are shared. handshake limits the time of our part of the handshake, and fail answers
// requests that cannot be upgraded.
func NewUpgrader(
	read, write int, handshake time.Duration,
	fail func(w http.ResponseWriter, r *http.Request, status int, reason error),
) websocket.Upgrader {
	return websocket.Upgrader{
		HandshakeTimeout: handshake, ReadBufferSize: read, WriteBufferSize: write,
		WriteBufferPool: &sync.Pool{}, Error: fail,
	}
}

// Conn is an end of a WebSocket connection. If its subprotocol is [deflate.Protocol], binary
// messages are compressed texts.
type Conn struct {
	*websocket.Conn
	compressed bool
	writer     deflate.Writer // of the goroutine that writes
	reader     deflate.Reader // of the goroutine that reads

	// Of the goroutine that reads: how many control frames were received since a time.
	controls int
	since    time.Time
}

// New returns a connection whose peer may send limit control frames per PingInterval. The
// goroutine that reads answers pings and calls heard, which may be nil, for each control frame;
// pong tells whether it is an answer to a ping.
func New(conn *websocket.Conn, limit int, heard func(pong bool)) *Conn {
	c := &Conn{Conn: conn, compressed: conn.Subprotocol() == deflate.Protocol}
	count := func(pong bool) error {
		if now := time.Now(); now.Sub(c.since) > PingInterval {
			c.controls, c.since = 0, now
		}
		if c.controls++; c.controls > limit {
			return ErrControl
		}
		if heard != nil {
			heard(pong)
		}
		return nil
	}
	conn.SetPongHandler(func(string) error { return count(true) })
	conn.SetPingHandler(func(data string) error {
		if err := count(false); err != nil {
			return err
		}
		_ = conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(controlTime))
		return nil
	})
	return c
}

// Ping sends a ping, for which a message that is being written may take timeout. Any goroutine
// may call it.
func (c *Conn) Ping(timeout time.Duration) error {
	return c.WriteControl(websocket.PingMessage, nil, time.Now().Add(timeout))
}

// Bye sends a close frame. Any goroutine may call it.
func (c *Conn) Bye(code int, reason string) error {
	return c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason),
		time.Now().Add(controlTime))
}

// Sizes of messages in bytes from which on they are compressed. The first one has to be larger: a
// connection that is only refused takes no memory for a context.
const (
	compressFirst = 512
	compressNext  = 64
)

// WriteText sends a text message, compressed if the connection is and it is worth it. One goroutine
// may call it at a time.
func (c *Conn) WriteText(text []byte) error {
	if !c.compressed || len(text) < compressNext || len(text) < compressFirst && !c.writer.Begun() {
		return c.WriteMessage(websocket.TextMessage, text)
	}
	compressed, err := c.writer.Compress(text)
	if err != nil {
		return err
	}
	return c.WriteMessage(websocket.BinaryMessage, compressed)
}

// nextText returns a reader of the next text message.
func (c *Conn) nextText() (io.Reader, error) {
	kind, r, err := c.NextReader()
	switch {
	case err != nil:
		return nil, err
	case kind == websocket.TextMessage:
		return r, nil
	case !c.compressed:
		return nil, ErrBinary
	}
	return c.reader.Open(r)
}

// ReadText reads a text message of at most limit bytes into buf, or into a larger buffer with
// room for n more bytes that it gets from grow, which may be nil, as bytes arrive. Of a message
// that is too long it reads only as much as shows that, and returns it with ErrTooLong. Heavy
// senders yield: it lets other goroutines run after each part of largePart bytes.
func (c *Conn) ReadText(
	buf []byte, limit int, grow func(buf []byte, n int) ([]byte, error),
) ([]byte, error) {
	if grow == nil {
		grow = func(buf []byte, n int) ([]byte, error) { return slices.Grow(buf, n), nil }
	}
	r, err := c.nextText()
	if err != nil {
		return nil, err
	}
	for buf = buf[:0]; len(buf) <= limit; {
		if len(buf) == cap(buf) {
			if buf, err = grow(buf, max(512, len(buf))); err != nil {
				return nil, err
			}
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), limit+1)])
		buf = buf[:len(buf)+n]
		if n >= largePart {
			runtime.Gosched()
		}
		switch {
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, err
		}
	}
	return buf, ErrTooLong
}
