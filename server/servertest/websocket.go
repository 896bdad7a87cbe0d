package servertest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// DialWebSocket is Dial for a server that accepts players over WebSocket at a URL. The
// client writes frames as usual; each write becomes one message.
func DialWebSocket(t testing.TB, url string) *Client {
	t.Helper()
	dialer := websocket.Dialer{HandshakeTimeout: patience}
	ws, answer, err := dialer.Dial(url, nil)
	if err != nil {
		t.Fatalf("dial: %v, %+v", err, answer)
	}
	conn := &socket{Conn: ws.NetConn(), ws: ws}
	t.Cleanup(func() { conn.Close() })
	return NewClient(t, conn)
}

// HearOut reads messages until the end of a connection, and closes it. It returns an error
// if the end does not come in time or understand returns one.
func HearOut(c *websocket.Conn, understand func(message []byte) error) error {
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for {
		_, message, err := c.ReadMessage()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if err != nil {
			return nil
		}
		if err := understand(message); err != nil {
			return fmt.Errorf("%w: %s", err, message)
		}
	}
}

// socket is a WebSocket that behaves like a stream of frames.
type socket struct {
	net.Conn
	ws   *websocket.Conn
	rest bytes.Buffer // of the message being read
}

// Read reads the next message as a frame. A normal close message is the end.
func (s *socket) Read(p []byte) (int, error) {
	if s.rest.Len() == 0 {
		kind, content, err := s.ws.ReadMessage()
		if websocket.IsCloseError(err, websocket.CloseNormalClosure) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		if kind != websocket.TextMessage {
			return 0, errors.New("a message that is not text")
		}
		s.rest.Write(Frame(string(content)))
	}
	return s.rest.Read(p)
}

// Write sends a frame as a message. For a header that announces more than there is, it sends
// a message of that size if it exceeds the limit, and otherwise half a message.
func (s *socket) Write(frame []byte) (int, error) {
	size, content := binary.LittleEndian.Uint32(frame), frame[4:]
	var err error
	switch {
	case int(size) == len(content):
		err = s.ws.WriteMessage(websocket.TextMessage, content)
	case size >= 1<<24:
		err = s.ws.WriteMessage(websocket.TextMessage, make([]byte, size))
	default:
		_, err = s.Conn.Write([]byte{0x81, 0x80 | byte(size), 0, 0, 0, 0, content[0]})
	}
	if err != nil {
		return 0, err
	}
	return len(frame), nil
}

// CloseWrite closes the writing side of the connection.
func (s *socket) CloseWrite() error { return s.Conn.(*net.TCPConn).CloseWrite() }

// CloseWrite closes the writing side of the client's connection.
func (c *Client) CloseWrite() {
	c.t.Helper()
	if err := c.Conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		c.t.Fatalf("close: %v", err)
	}
}

// SendRaw sends bytes without framing.
func (c *Client) SendRaw(raw []byte) {
	c.t.Helper()
	conn := c.Conn
	if s, ok := conn.(*socket); ok {
		conn = s.Conn
	}
	if _, err := conn.Write(raw); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}
