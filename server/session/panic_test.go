package session

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/servertest"
)

// panickyConn is a connection that panics in Read, or when it sends a ping.
type panickyConn struct {
	net.Conn
	reads bool
}

func (b panickyConn) Read(p []byte) (int, error) {
	if b.reads {
		panic("the reader broke")
	}
	return b.Conn.Read(p)
}

func (b panickyConn) Write(p []byte) (int, error) {
	if p[0] == 0x89 {
		panic("the pinger broke")
	}
	return b.Conn.Write(p)
}

// A panic while the first bytes are read closes the connection.
func TestPanicInPeeking(t *testing.T) {
	near, far := net.Pipe()
	var log servertest.Log
	s := New(OverTCP(panickyConn{near, true}), Options{
		LoginTimeout: time.Minute, Meter: NoMeter{}, Log: zerolog.New(&log),
		Web: func(net.Conn) { t.Error("the connection was taken for a browser's") },
	})
	s.Serve()
	if _, err := far.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
	if lines := log.About("the reader broke"); len(lines) != 1 ||
		!strings.Contains(lines[0], "handOver") {
		t.Errorf("the log lines of the panic are %q", lines)
	}
}

// A panic of a WebSocket's pinger ends that connection.
func TestPanicInAPing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		go func() { // the response to the handshake
			_, _ = far.Read(make([]byte, 1<<10))
		}()
		r := httptest.NewRequest(http.MethodGet, "http://x/netorcai", nil)
		r.Header = http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
		}
		var log servertest.Log
		c, err := OverWebSocket(hijacked{httptest.NewRecorder(), panickyConn{near, false}}, r, nil, zerolog.New(&log))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = c.ReadMessage(nil, 100, unbounded); err == nil {
			t.Error("a broken connection returned a message")
		}
		_ = c.Close()
		if lines := log.About("the pinger broke"); len(lines) != 1 ||
			!strings.Contains(lines[0], "(*webSocket).ping") {
			t.Errorf("the log lines of the panic are %q", lines)
		}
	})
}
