package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// Whatever is asked for, the answer is no failure of ours, and errors are JSON.
func FuzzRequest(f *testing.F) {
	for _, line := range []string{
		"GET /api/match HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/match/events?from=1&to=2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/match/state?turn=1&match=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/match/start HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\nContent-Length: 2\r\n\r\n{}",
		"GET /api/live?from=1&held=x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
		"GET /api/recordings/a%2f..%2fb HTTP/1.1\r\nHost: [::1]\r\n\r\n",
		"GET /netorcai HTTP/1.1\r\nHost: localhost\r\nSec-WebSocket-Version: 13\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\nRange: bytes=0-1\r\nAccept-Encoding: gzip\r\n\r\n",
	} {
		f.Add([]byte(line))
	}
	s, err := web.Listen(web.Options{Address: "127.0.0.1:0", Log: zerolog.Nop(), Recordings: web.NewFolder(f.TempDir(), nil)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	s.Show(web.Match{
		Feed: feed.New(feed.Options{Game: "hexabomb", Settings: match.Settings{Turns: 3, Players: 2}}), Start: func() error { return match.ErrStarted },
	})
	h := s.Handler()
	f.Fuzz(func(t *testing.T, request []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
		if err != nil {
			return
		}
		r.RemoteAddr = "127.0.0.1:9"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
			t.Errorf("%q is answered with %d %s", request, w.Code, w.Body)
		}
		if w.Code >= 400 && r.Method != http.MethodHead && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q is answered with %d and no JSON: %s", request, w.Code, w.Body)
		}
	})
}
