package session

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/deflate"
	"github.com/hexarena/hexarena/server/machine/wsconn"
)

// A client that asks for it gets a compressed connection, both ways, unless all contexts are taken.
// A compressed message is limited by its size before it was compressed.
func TestCompressedConnections(t *testing.T) {
	const limit = 64 << 10
	contexts := deflate.NewContexts()
	ended := make(chan error, 1)
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := OverWebSocket(w, r, contexts, zerolog.Nop())
		if err != nil {
			ended <- err
			return
		}
		for {
			content, err := c.ReadMessage(nil, limit, unbounded)
			if err == nil {
				_, err = c.Write(append(netorcai.BeginFrame(nil), content...))
			}
			if err != nil {
				_ = c.Close()
				ended <- err
				return
			}
		}
	}))
	defer echo.Close()
	dial := func(protocols ...string) *wsconn.Conn {
		t.Helper()
		dialer := websocket.Dialer{Subprotocols: protocols}
		ws, _, err := dialer.Dial("ws"+strings.TrimPrefix(echo.URL, "http"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return wsconn.New(ws, maxControl, nil)
	}

	c := dial(deflate.Protocol)
	if c.Subprotocol() != deflate.Protocol {
		t.Errorf("the subprotocol is %q", c.Subprotocol())
	}
	for _, size := range []int{10, 100, 1000, 100, 10, limit} {
		want := bytes.Repeat([]byte("x"), size)
		if err := c.WriteText(want); err != nil {
			t.Fatal(err)
		}
		if got, err := c.ReadText(nil, limit, nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("a message of %d bytes comes back with %d, %v", size, len(got), err)
		}
	}
	if err := c.WriteText(make([]byte, limit+1)); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "too big") {
		t.Errorf("a message that is too large ends with %v", err)
	}
	_ = c.Close()

	taken := 0
	for contexts.Take() {
		taken++
	}
	if taken == 0 {
		t.Error("the context was not released")
	}
	for _, c := range []*wsconn.Conn{dial(), dial(deflate.Protocol)} {
		if c.Subprotocol() != "" {
			t.Errorf("without a context, the subprotocol is %q", c.Subprotocol())
		}
		if err := c.WriteMessage(websocket.BinaryMessage, nil); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != error(errBinary) {
			t.Errorf("a binary message ends with %v", err)
		}
		_ = c.Close()
	}
}
