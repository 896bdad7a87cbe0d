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

// brittle is a connection that panics when it is read, or when it sends a ping.
type brittle struct {
	net.Conn
	reads bool
}

func (b brittle) Read(p []byte) (int, error) {
	if b.reads {
		panic("the reader broke")
	}
	return b.Conn.Read(p)
}

func (b brittle) Write(p []byte) (int, error) {
	if p[0] == 0x89 {
		panic("the pinger broke")
	}
	return b.Conn.Write(p)
}

// A panic over the first bytes of a connection closes it.
func TestPanicInPeeking(t *testing.T) {
	near, far := net.Pipe()
	var log servertest.Log
	s := New(OverTCP(brittle{near, true}), Options{
		LoginTimeout: time.Minute, Meter: NoMeter{}, Log: zerolog.New(&log),
		Web: func(net.Conn) { t.Error("the connection was taken for a browser's") },
	})
	s.Serve()
	if _, err := far.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
	if lines := log.About("the reader broke"); len(lines) != 1 || !strings.Contains(lines[0], "handOver") {
		t.Errorf("the log has of the panic: %q", lines)
	}
}

// A panic of a WebSocket's pinger ends that connection.
func TestPanicInAPing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		go func() { // the handshake's answer
			_, _ = far.Read(make([]byte, 1<<10))
		}()
		r := httptest.NewRequest(http.MethodGet, "http://x/netorcai", nil)
		r.Header = http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
		}
		var log servertest.Log
		c, err := OverWebSocket(hijacked{httptest.NewRecorder(), brittle{near, false}}, r, zerolog.New(&log))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = c.ReadMessage(nil, 100, unbounded); err == nil {
			t.Error("a message came of a connection that broke")
		}
		_ = c.Close()
		if lines := log.About("the pinger broke"); len(lines) != 1 || !strings.Contains(lines[0], "(*webSocket).ping") {
			t.Errorf("the log has of the panic: %q", lines)
		}
	})
}
