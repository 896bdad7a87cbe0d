package hivemaker

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/host"
)

// hosted is a running server.
type hosted struct {
	url  string
	stop func()
	done chan struct{}
}

func open(t *testing.T, o Options) *hosted {
	t.Helper()
	o.Log = zerolog.Nop()
	if o.Start == nil {
		o.Start = newHost(t).Start
	}
	h := New(o)
	mux := muxOf(h)
	srv := httptest.NewServer(mux)
	s := &hosted{url: srv.URL, done: make(chan struct{})}
	s.stop = sync.OnceFunc(func() {
		go func() {
			defer close(s.done)
			h.Close()
		}()
	})
	t.Cleanup(func() {
		s.stop()
		select {
		case <-s.done:
		case <-time.After(20 * time.Second):
			t.Error("Close does not return")
		}
		srv.Close()
	})
	return s
}

// muxOf returns what serves requests as a page does. A request with a header Stranger is not the
// operator's.
func muxOf(h *Server) *http.ServeMux {
	mux := http.NewServeMux()
	h.Handle(mux, func(r *http.Request) bool { return r.Header.Get("Stranger") == "" })
	mux.HandleFunc("GET "+host.DialInPath, func(w http.ResponseWriter, r *http.Request) {
		if !h.Session(w, r) {
			h.acceptor.Refuse(w, r, invalidToken)
		}
	})
	return mux
}

// newHost returns a host without a port.
func newHost(t testing.TB) *host.Host {
	t.Helper()
	h, err := host.Open(host.Options{NoPort: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Shutdown(t.Context()) })
	return h
}

// post requests a game.
func (s *hosted) post(
	t *testing.T, body string,
) (status int, created htttx.GameCreated, detail string) {
	t.Helper()
	resp, err := http.Post(s.url+"/game/new", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		htttx.GameCreated
		Detail string `json:"detail"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer.GameCreated, answer.Detail
}

func (s *hosted) create(t *testing.T, body string) htttx.GameCreated {
	t.Helper()
	status, created, detail := s.post(t, body)
	if status != http.StatusOK {
		t.Fatalf("POST /game/new %s: %d %s", body, status, detail)
	}
	return created
}

// client is a WebSocket connection to the server.
type client struct {
	*websocket.Conn
	t *testing.T
}

func (s *hosted) dial(t *testing.T, path string) *client {
	t.Helper()
	c, _, err := websocket.DefaultDialer.Dial(strings.Replace(s.url, "http", "ws", 1)+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &client{c, t}
}

// next returns the next packet, or nil at the end.
func (c *client) next() htttx.Packet {
	c.t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	_, data, err := c.ReadMessage()
	if err != nil {
		if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
			c.t.Errorf("the connection ended with %v", err)
		}
		return nil
	}
	p, err := htttx.ParseFromServer(data)
	if err != nil {
		c.t.Errorf("got %s: %v", data, err)
	}
	return p
}

// readRest returns all remaining packets, one per line.
func (c *client) readRest() string {
	c.t.Helper()
	var b strings.Builder
	for p := c.next(); p != nil; p = c.next() {
		b.Write(append(p.Append(nil), '\n'))
	}
	return b.String()
}

// playPieces answers requests with one piece each.
func (c *client) playPieces(cells ...htttx.Cell) {
	c.t.Helper()
	for len(cells) > 0 {
		switch c.next().(type) {
		case htttx.MoveRequest:
			m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: cells[:1]}}
			_ = c.WriteMessage(websocket.TextMessage, m.Append(nil))
			cells = cells[1:]
		case nil:
			c.t.Errorf("the connection ended with pieces %v to play", cells)
			return
		}
	}
}
