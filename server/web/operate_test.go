package web_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

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
