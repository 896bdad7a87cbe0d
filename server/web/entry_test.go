package web_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// Connections count from the first byte to the end of a viewer; those beyond the
// bound are told so.
func TestConnectionsAreLimited(t *testing.T) {
	var open atomic.Int32
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) {
		o.Enter = func(string) (leave func(), refusal string) {
			if open.Add(1) > 1 {
				open.Add(-1)
				return nil, "Too many connections"
			}
			return func() { open.Add(-1) }, ""
		}
	})
	live := "ws" + strings.TrimPrefix(s.URL(), "http") + "api/live"
	viewer, _, err := websocket.DefaultDialer.Dial(live, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer viewer.Close()
	s.awaitHealth(http.StatusServiceUnavailable, `{"error":"Too many connections"}`)
	_ = viewer.Close()
	s.awaitHealth(http.StatusOK, `"status":"ok"`)
}

// awaitHealth asks until it is answered so. Who is turned away may be so before it
// has asked.
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
