package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// No request is answered with a server error, and all errors are JSON.
func FuzzRequest(f *testing.F) {
	for _, line := range []string{
		"GET /api/match HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/match/events?from=1&to=2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/match/state?turn=1&match=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/match/start HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\nContent-Length: " +
			"2\r\n\r\n{}",
		"GET /api/live?from=1&held=x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: " +
			"websocket\r\n\r\n",
		"GET /api/recordings/a%2f..%2fb HTTP/1.1\r\nHost: [::1]\r\n\r\n",
		"GET /netorcai HTTP/1.1\r\nHost: localhost\r\nSec-WebSocket-Version: 13\r\n\r\n",
		"GET /api/recordings/one.hexarena HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /api/recordings/one.hexarena/page.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/recordings/one.hexarena/analysis HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/recordings/%2e%2e%2fone.hexarena/analysis?x=1 HTTP/1.1\r\nHost: " +
			"127.0.0.1:80\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST /api/recordings/.hexarena/analysis HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " +
			"1.2.3.4\r\nContent-Length: 2\r\n\r\n{}",
		"HEAD /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\nRange: " +
			"bytes=0-1\r\nAccept-Encoding: gzip\r\n\r\n",
	} {
		f.Add([]byte(line))
	}
	s := recordedStage(f, nil)
	h := s.Handler()
	f.Fuzz(func(t *testing.T, request []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
		if err != nil || websocket.IsWebSocketUpgrade(r) { // FuzzViewer has a connection for those
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

// recordedStage returns a finished match of three turns, recorded as one.hexarena. analyse
// may be nil.
func recordedStage(f *testing.F, analyse web.Analyse) *stage {
	if analyse == nil {
		analyse = func(_ context.Context, _ string, _ web.AnalysisOptions, w io.Writer) error {
			_, err := io.WriteString(w, "{}\n")
			return err
		}
	}
	dir := f.TempDir()
	var recorder *recording.Recorder
	s := newStage(f, func(w *web.Options, shown *web.Match, m *match.Options) {
		game := gameOf(f, shown.Map)
		recorder = recording.New(
			recording.Options{Dir: dir, Rules: game, Map: shown.Map, MapName: "lagoon"})
		m.Referee, m.Watchers = match.Local(game), append(m.Watchers, recorder)
		m.Settings.Turns = 3
		w.Recordings, w.Analyse = web.NewFolder(dir, games), analyse
	})
	s.begin()
	s.play(2)
	wait(f, s.ended)
	if err := os.Rename(recorder.Path(), filepath.Join(dir, "one.hexarena")); err != nil {
		f.Fatal(err)
	}
	return s
}

// Only recordings in the folder are judged, and only for requests from this machine.
func FuzzAnalysis(f *testing.F) {
	for _, name := range []string{
		"one.hexarena", "one", "..%2fone.hexarena", "./one.hexarena", "one.hexarena%00", "%2e%2e",
		".hexarena", "one.hexarena?x=/../one.hexarena", "ONE.hexarena",
	} {
		f.Add(name, "localhost", "127.0.0.1:9", "", `{"judge":"threat","threats":true}`)
	}
	f.Add("one.hexarena", "[::1]:8080", "[::1]:9", "", "")
	f.Add("one.hexarena", "hexarena.example", "127.0.0.1:9", "", "")
	f.Add("one.hexarena", "127.0.0.1", "192.0.2.1:9", "", "")
	f.Add("one.hexarena", "localhost", "[::ffff:127.0.0.1%eth0]:9", "for=192.0.2.1", "")
	var judged []string
	s := recordedStage(f, func(_ context.Context, name string, _ web.AnalysisOptions, w io.Writer) error {
		judged = append(judged, name)
		_, err := io.WriteString(w, "{}\n")
		return err
	})
	h := s.Handler()
	f.Fuzz(func(t *testing.T, name, host, remote, forwarded, body string) {
		r, err := http.NewRequest(http.MethodPost, "http://x/api/recordings/"+name+"/analysis",
			strings.NewReader(body))
		if err != nil {
			return
		}
		r.Host, r.RemoteAddr = host, remote
		if forwarded != "" {
			r.Header.Set("Forwarded", forwarded)
		}
		peer, err := netip.ParseAddrPort(remote)
		here := err == nil && peer.Addr().Unmap().IsLoopback() && forwarded == ""
		judged = nil
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch {
		case len(judged) == 0:
			if w.Code < 300 || w.Code >= 500 {
				t.Errorf("POST %q for %q from %q: %d %s", name, host, remote, w.Code, w.Body)
			}
		case len(judged) != 1 || judged[0] != "one.hexarena" || w.Code != http.StatusOK ||
			w.Body.String() != "{}\n":
			t.Errorf("POST %q judges %q: %d %s", name, judged, w.Code, w.Body)
		case !here:
			t.Errorf("POST %q for %q from %q, forwarded for %q, is judged", name, host, remote, forwarded)
		}
	})
}

// Whatever a viewer sends, the server closes the connection.
func FuzzViewer(f *testing.F) {
	for _, sent := range []string{
		"\x81\x80aaaa", "\x89\x80aaaa\x8a\x80aaaa", "\x88\x82\x00\x00\x00\x00\x03\xe8",
		"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa", "\xc1\x80aaaa", "\x81\x02{}", "\x89",
	} {
		f.Add([]byte(sent))
	}
	s := recordedStage(f, nil)
	f.Fuzz(func(t *testing.T, sent []byte) {
		near, far := net.Pipe()
		closed := make(chan struct{})
		s.Take(&watched{Conn: near, closed: closed})
		_ = far.SetDeadline(time.Now().Add(patience))
		_, err := io.WriteString(
			far,
			"GET /api/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: "+
				"websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(far)
		if r, err := http.ReadResponse(in, nil); err != nil ||
			r.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("no WebSocket: %v, %v", r, err)
		}
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, _ = far.Write(sent) // the server may close the connection
			_ = far.Close()
		}()
		_, _ = io.Copy(io.Discard, in)
		<-written
		wait(t, closed)
	})
}

// watched is a connection that reports when it is closed.
type watched struct {
	net.Conn
	once   sync.Once
	closed chan<- struct{}
}

func (c *watched) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
