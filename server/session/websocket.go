package session

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/panics"
)

// Limits of a WebSocket connection.
const (
	// handshakeTime limits writing our part of the handshake.
	handshakeTime = 5 * time.Second
	// messageTime is how long a peer may take to read a message.
	messageTime = time.Minute
	// pingInterval keeps proxies from closing the connection of a match without news. A
	// bot may be too busy to answer, so a missing pong has no consequences: a dead machine
	// is detected by the system's keep-alive, as over TCP.
	pingInterval = 20 * time.Second
	// maxControl is the number of control frames that a peer may send per pingInterval.
	maxControl = 32
	frameHead  = 4 // bytes of netorcai's framing, which a WebSocket does without
)

// socketError is a fault that only a WebSocket can have. Its text completes a kick
// reason.
type socketError string

func (e socketError) Error() string { return string(e) }

const (
	errBinary  = socketError("Received a binary message, while text was expected")
	errControl = socketError("Received too many control frames")
)

// upgrader accepts requests of programs, which send no Origin, and of pages that this
// server served.
var upgrader = websocket.Upgrader{
	HandshakeTimeout: handshakeTime,
	ReadBufferSize:   readBuffer,
	WriteBufferSize:  readBuffer,
	WriteBufferPool:  &sync.Pool{},
	Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
		Refuse(w, status, reason)
	},
}

// Refuse answers a request that cannot become a connection.
func Refuse(w http.ResponseWriter, status int, reason error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": reason.Error()})
}

// OverWebSocket upgrades a request to a connection on which every message is a text
// message, without netorcai's framing. If it fails, it has answered the request. Panics
// are written to log.
func OverWebSocket(w http.ResponseWriter, r *http.Request, log zerolog.Logger) (Conn, error) {
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	c := &webSocket{Conn: ws, log: log, closed: make(chan struct{})}
	ws.SetPingHandler(func(data string) error {
		if err := c.countControl(); err != nil {
			return err
		}
		_ = ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
		return nil
	})
	ws.SetPongHandler(func(string) error { return c.countControl() })
	panics.Go(&c.pings, c.ping, func(p *panics.Error) {
		c.failed(p)
		_ = ws.Close() // ends the reader
	})
	return c, nil
}

// webSocket is a Conn. A goroutine sends pings until it is closed.
type webSocket struct {
	*websocket.Conn
	log    zerolog.Logger
	pings  sync.WaitGroup
	closed chan struct{}
	once   sync.Once

	// Used by the reader only: control frames since a time.
	controls int
	since    time.Time

	mu  sync.Mutex // guards cut
	cut *time.Timer
}

// countControl counts a control frame.
func (c *webSocket) countControl() error {
	if now := time.Now(); now.Sub(c.since) > pingInterval {
		c.controls, c.since = 0, now
	}
	if c.controls++; c.controls > maxControl {
		return errControl
	}
	return nil
}

func (c *webSocket) failed(p *panics.Error) {
	c.log.Error().Stringer("address", c.RemoteAddr()).EmbedObject(p).Msg("Serving a WebSocket failed")
}

func (c *webSocket) ping() {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = c.WriteControl(websocket.PingMessage, nil, time.Now().Add(messageTime))
		case <-c.closed:
			return
		}
	}
}

// ReadMessage implements Conn. Of a message that is too large it reads only as much as
// shows that.
func (c *webSocket) ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error) {
	kind, r, err := c.NextReader()
	if err != nil {
		return nil, readError(err)
	}
	if kind != websocket.TextMessage {
		return nil, errBinary
	}
	for buf = buf[:0]; len(buf) <= limit; {
		if len(buf) == cap(buf) {
			if buf, err = grow(buf, max(512, len(buf))); err != nil {
				return nil, err
			}
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), limit+1)])
		buf = buf[:len(buf)+n]
		yieldAfter(n)
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, readError(err)
		}
	}
	return nil, &netorcai.SizeError{Size: uint32(len(buf)), Limit: limit}
}

// readError converts an error of reading a message into the session's terms.
func readError(err error) error {
	var closing *websocket.CloseError
	var timeout net.Error
	switch {
	case errors.Is(err, errControl):
		return err
	case errors.As(err, &closing) && closing.Code == websocket.CloseAbnormalClosure:
		err = io.ErrUnexpectedEOF // the connection ended without a close frame
	case errors.As(err, &closing):
		err = io.EOF
	case errors.As(err, &timeout) && timeout.Timeout():
		err = os.ErrDeadlineExceeded
	}
	return &netorcai.ReadError{Err: err}
}

// TryWrite implements Conn. All writes to a WebSocket may block.
func (c *webSocket) TryWrite([]byte) int { return 0 }

// Write implements Conn.
func (c *webSocket) Write(frame []byte) (int, error) {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(messageTime))
	if err := c.WriteMessage(websocket.TextMessage, frame[frameHead:]); err != nil {
		return 0, err
	}
	return len(frame), nil
}

// CloseWrite implements Conn. Browsers close the connection only after the server has.
func (c *webSocket) CloseWrite() error {
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	err := c.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	_ = netconn.CloseWrite(c.NetConn())
	return err
}

// Discard implements Conn.
func (c *webSocket) Discard(limit int64) (int64, error) { return discard(c.NetConn(), limit) }

// SetWriteDeadline implements Conn. Write sets the deadline of each message, so this one
// closes the connection.
func (c *webSocket) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut != nil {
		c.cut.Stop()
	}
	c.cut = panics.AfterFunc(time.Until(t), func() { _ = c.Conn.Close() }, c.failed)
	return nil
}

// Close implements Conn.
func (c *webSocket) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { close(c.closed) })
	c.pings.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut != nil {
		c.cut.Stop()
	}
	return err
}
