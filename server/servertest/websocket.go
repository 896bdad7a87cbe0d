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

// DialWebSocket is Dial for a server that takes players in over WebSocket at a
// url. The client frames as ever; what it writes at a time is one message.
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

// HearOut reads messages to the end of a connection, and closes it. The error is
// that the end did not come in time, or a message that cannot be understood.
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

// socket is a WebSocket that looks like a stream of frames.
type socket struct {
	net.Conn
	ws   *websocket.Conn
	rest bytes.Buffer // of what was read
}

// Read reads the next message, framed. A goodbye in all form is the end.
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

// Write sends a frame as a message. A header that announces more than there is
// becomes a message of that size if nobody takes that, else half a message.
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

// CloseWrite ends the stream of bytes.
func (s *socket) CloseWrite() error { return s.Conn.(*net.TCPConn).CloseWrite() }

// CloseWrite ends what the client sends.
func (c *Client) CloseWrite() {
	c.t.Helper()
	if err := c.Conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		c.t.Fatalf("close: %v", err)
	}
}

// SendBytes sends a binary message, over WebSocket alone.
func (c *Client) SendBytes(content []byte) {
	c.t.Helper()
	if err := c.Conn.(*socket).ws.WriteMessage(websocket.BinaryMessage, content); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// SendRaw sends bytes below all framing.
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
