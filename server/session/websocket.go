package session

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/deflate"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/wsconn"
)

// Limits of a WebSocket connection.
const (
	// handshakeTime limits writing our part of the handshake.
	handshakeTime = 5 * time.Second
	// messageTime is the time that a peer may take to read a message.
	messageTime = time.Minute
	// maxControl is the number of control frames that a peer may send per wsconn.PingInterval.
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
var upgrader = wsconn.NewUpgrader(readBuffer, readBuffer, handshakeTime,
	func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
		Refuse(w, status,
			reason)
	})

// Refuse answers a request that cannot become a connection.
func Refuse(w http.ResponseWriter, status int, reason error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": reason.Error()})
}

// OverWebSocket upgrades a request to a connection on which every message is a text message,
// without netorcai's framing. It is compressed if the client asks for it and there is a context;
// contexts may be nil. If it fails, it has answered the request. Panics are written to log.
func OverWebSocket(
	w http.ResponseWriter, r *http.Request, contexts *deflate.Contexts, log zerolog.Logger,
) (Conn, error) {
	var header http.Header
	release := func() {}
	if slices.Contains(websocket.Subprotocols(r), deflate.Protocol) && contexts.Take() {
		header = http.Header{"Sec-Websocket-Protocol": {deflate.Protocol}}
		release = contexts.Release
	}
	ws, err := upgrader.Upgrade(w, r, header)
	if err != nil {
		release()
		return nil, err
	}
	c := &webSocket{Conn: wsconn.New(ws, maxControl, nil), log: log, release: sync.OnceFunc(release)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pings = panics.AfterFunc(wsconn.PingInterval, c.ping, func(p *panics.Error) {
		c.failed(p)
		_ = ws.Close() // ends the reader
	})
	return c, nil
}

// webSocket is a Conn. A timer sends pings: a bot may be too busy to answer, so a missing pong has
// no consequences. A dead machine is detected by the system's keep-alive, as over TCP.
type webSocket struct {
	*wsconn.Conn
	log     zerolog.Logger
	release func() // gives the context back; may be called again

	mu     sync.Mutex  // guards the fields below
	pings  *time.Timer // nil once the connection is closed
	cutOff *time.Timer // closes the connection; nil without a write deadline
}

func (c *webSocket) failed(p *panics.Error) {
	c.log.Error().Stringer("address", c.RemoteAddr()).EmbedObject(p).Msg("Serving a WebSocket failed")
}

// ping sends a ping and schedules the next one.
func (c *webSocket) ping() {
	_ = c.Ping(messageTime)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pings != nil {
		c.pings.Reset(wsconn.PingInterval)
	}
}

// ReadMessage implements Conn.
func (c *webSocket) ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error) {
	content, err := c.ReadText(buf, limit, grow)
	var closing *websocket.CloseError
	var full *budgetError
	var timeout net.Error
	switch {
	case err == nil:
		return content, nil
	case err == wsconn.ErrTooLong:
		return nil, &netorcai.SizeError{Size: uint32(len(content)), Limit: limit}
	case err == wsconn.ErrBinary:
		return nil, errBinary
	case errors.Is(err, wsconn.ErrControl):
		return nil, errControl
	case errors.As(err, &full):
		return nil, err
	case errors.As(err, &closing) && closing.Code == websocket.CloseAbnormalClosure:
		err = io.ErrUnexpectedEOF // the connection ended without a close frame
	case errors.As(err, &closing):
		err = io.EOF
	case errors.As(err, &timeout) && timeout.Timeout():
		err = os.ErrDeadlineExceeded
	}
	return nil, &netorcai.ReadError{Err: err}
}

// TryWrite implements Conn. All writes to a WebSocket may block.
func (c *webSocket) TryWrite([]byte) int { return 0 }

// Write implements Conn.
func (c *webSocket) Write(frame []byte) (int, error) {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(messageTime))
	if err := c.WriteText(frame[frameHead:]); err != nil {
		return 0, err
	}
	return len(frame), nil
}

// CloseWrite implements Conn. Browsers close the connection only after the server has.
func (c *webSocket) CloseWrite() error {
	err := c.Bye(websocket.CloseNormalClosure, "")
	_ = netconn.CloseWrite(c.NetConn())
	return err
}

// Discard implements Conn.
func (c *webSocket) Discard(limit int64) (int64, error) { return discard(c.NetConn(), limit) }

// SetWriteDeadline implements Conn. Write sets the deadline of each message, so this one
// closes the connection, unless it is set again before; zero means no deadline.
func (c *webSocket) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	stop(c.cutOff)
	if c.cutOff = nil; t.IsZero() {
		return nil
	}
	c.cutOff = panics.AfterFunc(time.Until(t), func() { _ = c.Conn.Close() }, c.failed)
	return nil
}

// Close implements Conn.
func (c *webSocket) Close() error {
	defer c.release()
	err := c.Conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	stop(c.cutOff)
	stop(c.pings)
	c.pings = nil
	return err
}

// stop stops a timer, which may be nil.
func stop(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}
