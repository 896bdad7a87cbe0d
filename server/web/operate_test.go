package web_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

func TestStartNeedsTheOperator(t *testing.T) {
	started := 0
	s := newStage(t, func(_ *web.Options, m *web.Match, _ *match.Options) { m.Start = func() error { started++; return nil } })
	host := s.Addr().String()
	for _, test := range []struct {
		header http.Header
		want   int
	}{
		{nil, 200},
		{http.Header{"Origin": {"http://" + host}}, 200},
		{http.Header{"Host": {"localhost:80"}}, 200},
		{http.Header{"Host": {"evil.example"}}, 403},
		{http.Header{"Host": {"192.168.1.5:8080"}}, 403},
		{http.Header{"Origin": {"http://evil.example"}}, 403},
		{http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{http.Header{"X-Forwarded-For": {"10.1.2.3"}}, 403},
		{http.Header{"Via": {"1.1 proxy"}}, 403},
		// behind a proxy that does not identify itself
		{http.Header{"Origin": {"https://event.example"}, "Sec-Fetch-Site": {"same-origin"}}, 403},
	} {
		before := started
		status, body, _ := s.do("POST", "/api/match/start", test.header)
		if status != test.want || (started > before) != (test.want == 200) {
			t.Errorf("%v: %d %s, want %d", test.header, status, body, test.want)
		}
	}
}

// A profile takes processor time from the match: another site's page must not make the
// operator's browser request one.
func TestProfilesNeedTheOperator(t *testing.T) {
	s := newStage(t)
	for _, test := range []struct {
		header http.Header
		want   int
	}{
		{nil, 200},
		{http.Header{"Sec-Fetch-Site": {"none"}}, 200},
		{http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{http.Header{"Host": {"evil.example"}}, 403},
	} {
		if status, body, _ := s.do("GET", "/debug/pprof/cmdline", test.header); status != test.want {
			t.Errorf("%v: %d %s, want %d", test.header, status, body, test.want)
		}
	}
}

// Some proxies speak HTTP/1.0 by default.
func TestOldProxiesMayNotStart(t *testing.T) {
	s := newStage(t, func(_ *web.Options, m *web.Match, _ *match.Options) {
		m.Start = func() error { t.Error("started"); return nil }
	})
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/match/start HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
	if answer, err := io.ReadAll(conn); err != nil || !strings.Contains(string(answer), " 403 ") {
		t.Errorf("answered %s, %v; want 403", answer, err)
	}
}

// Proxies and tunnels that name the client in any of the usual headers do not act for the
// operator.
func TestForwardedRequestsMayNotStart(t *testing.T) {
	s := newStage(t, func(_ *web.Options, m *web.Match, _ *match.Options) {
		m.Start = func() error { t.Error("started"); return nil }
	})
	for _, name := range []string{
		"Forwarded", "Via", "CDN-Loop", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host",
		"X-Forwarded-Server", "X-Original-Forwarded-For",
		"X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "CF-Connecting-IP",
		"Fastly-Client-IP", "Fly-Client-IP", "X-Original-URL",
	} {
		if status, body, _ := s.do("POST", "/api/match/start", http.Header{name: {"x"}}); status != 403 {
			t.Errorf("%s: %d %s, want 403", name, status, body)
		}
	}
}

// A site whose name resolves to this machine is not this server: its pages get nothing.
func TestRebinding(t *testing.T) {
	s := newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Hosts = []string{"event.example"} })
	for host, want := range map[string]int{
		"evil.example": 403, "evil.example:8080": 403, "127.0.0.1.evil.example": 403, "localhost.": 200,
		"localhost": 200, "127.0.0.1:80": 200, "[::1]:80": 200, "192.168.1.5": 200, "laptop:8080": 200,
		"a.localhost": 200, "Event.Example:443": 200,
	} {
		for _, path := range []string{"/", "/api/match", "/api/recordings", "/metrics", "/netorcai"} {
			status, body, _ := s.do("GET", path, http.Header{"Host": {host}})
			if refused := status == 403; refused != (want == 403) {
				t.Errorf("GET %s from %s: %d %.80s, want %d", path, host, status, body, want)
			}
		}
		header := http.Header{"Host": {host}, "Origin": {"http://" + host}}
		conn, answer, err := websocket.DefaultDialer.Dial("ws://"+s.Addr().String()+"/api/live", header)
		if answer == nil || (answer.StatusCode == 403) != (want == 403) {
			t.Errorf("WebSocket from %s: %v, want %d", host, err, want)
		}
		if err == nil {
			conn.Close()
		}
	}
}
