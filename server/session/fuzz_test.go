package session

import (
	"bufio"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// unbounded is a Grow without a limit.
func unbounded(buf []byte, n int) ([]byte, error) { return slices.Grow(buf, n), nil }

// hijacked is the response to a request whose connection is taken over.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

// Any input of a peer over a WebSocket results in messages within the limit, or ends the
// connection.
func FuzzWebSocket(f *testing.F) {
	for _, sent := range []string{
		"\x81\x82\x00\x00\x00\x00{}", "\x01\x81\x01\x02\x03\x04z\x80\x81\x01\x02\x03\x04|",
		"\x82\x80aaaa", "\x88\x80aaaa",
		"\x89\x80aaaa\x8a\x80aaaa\x81\x80aaaa", "\x81\xfe\x01\x00aaaa",
		"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa", "\xf1\x80aaaa", "\x81\x02{}",
	} {
		f.Add([]byte(sent), uint8(10))
	}
	f.Fuzz(func(t *testing.T, sent []byte, limit uint8) {
		near, far := net.Pipe()
		defer far.Close()
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, _ = far.Write(sent)
			_ = far.Close()
		}()
		answers := make(chan struct{})
		server, client := net.Pipe() // the server's output is dropped
		go func() {
			defer close(answers)
			buf := make([]byte, 1<<10)
			for {
				if _, err := client.Read(buf); err != nil {
					return
				}
			}
		}()
		r, err := http.NewRequest(http.MethodGet, "http://x/netorcai", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
		}
		c, err := OverWebSocket(hijacked{httptest.NewRecorder(), oneWay{near, server}}, r, nil, zerolog.Nop())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		var buf []byte
		for err == nil {
			if buf, err = c.ReadMessage(buf, int(limit), unbounded); len(buf) > int(limit) {
				t.Errorf("a message of %d bytes, while %d are allowed", len(buf), limit)
			}
		}
		if reason := netorcai.TurnAckReason(err); reason == "" {
			t.Errorf("%v is not a reason to kick", err)
		}
		_ = c.Close()
		_ = client.Close()
		<-written
		<-answers
	})
}

// oneWay reads from one pipe and writes to another.
type oneWay struct {
	net.Conn
	out net.Conn
}

func (o oneWay) Write(p []byte) (int, error)        { return o.out.Write(p) }
func (o oneWay) SetWriteDeadline(t time.Time) error { return o.out.SetWriteDeadline(t) }

func (o oneWay) Close() error {
	_ = o.out.Close()
	return o.Conn.Close()
}
