package web_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// limited returns a page with a limited number of connections.
func limited(t *testing.T, connections int) *stage {
	port := limits.NewConnections(0, zerolog.Nop()).Port(limits.PortLimits{Connections: connections})
	return newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) {
		o.Port = port
	})
}

// connect opens a page's WebSocket.
func (s *stage) connect() *websocket.Conn {
	s.t.Helper()
	viewer, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL(), "http")+"api/live", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = viewer.Close() })
	return viewer
}

// Connections count until they are closed, also those of viewers; connections beyond the
// limit are told so.
func TestConnectionsAreLimited(t *testing.T) {
	s := limited(t, 1)
	viewer := s.connect()
	s.awaitHealth(http.StatusServiceUnavailable, `{"error":"Too many connections"}`)
	_ = viewer.Close()
	s.awaitHealth(http.StatusOK, `"status":"ok"`)
}

// Connections that are idle, or slow to send a request, make room for others; those of
// viewers are kept.
func TestIdleConnectionsGiveWay(t *testing.T) {
	s := limited(t, 5)
	viewer := s.connect()
	for i := range 20 {
		conn, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		switch request := "GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"; i % 3 {
		case 1:
			_, err = io.WriteString(conn, request)
		case 2:
			_, err = io.WriteString(conn, request[:len(request)-2])
		}
		if err != nil {
			t.Fatal(err)
		}
		s.awaitHealth(http.StatusOK, `"status":"ok"`)
	}
	if err := viewer.WriteControl(websocket.PingMessage, nil, time.Now().Add(patience)); err != nil {
		t.Errorf("the viewer: %v", err)
	}
	if _, _, err := viewer.ReadMessage(); err != nil {
		t.Errorf("the viewer: %v", err)
	}
}

// awaitHealth sends requests until one is answered like this. A connection may be refused
// before the request is sent.
func (s *stage) awaitHealth(status int, text string) {
	s.t.Helper()
	var body []byte
	for until := time.Now().Add(20 * time.Second); ; {
		answer, err := http.Get(s.URL() + "api/health")
		if err == nil {
			body, err = io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err == nil && answer.StatusCode == status && strings.Contains(string(body), text) {
				return
			}
		}
		if time.Now().After(until) {
			s.t.Fatalf("answered %s, %v; want %d %s", body, err, status, text)
		}
	}
}
