package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// A request is never read as two, nor for another host, however it is written.
func TestSmuggledRequests(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	s := newStage(t, func(_ *web.Options, m *web.Match, _ *match.Options) {
		m.Start = func() error { t.Error("a request has started the match"); return nil }
	})
	host := s.Addr().String()
	const start = "POST /api/match/start HTTP/1.1\r\n"
	inner := start + "Host: " + host + "\r\nContent-Length: 0\r\n\r\n"
	for name, text := range map[string]string{
		"two lengths": start + "Host: evil.example\r\nContent-Length: 0\r\nContent-Length: " +
			"5\r\n\r\n",
		"length and chunks": start + "Host: evil.example\r\nContent-Length: 5\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n0\r\n\r\n",
		"hidden in a body": "GET /api/health HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: " + fmt.Sprint(len(inner)) + "\r\nConnection: close\r\n\r\n" + inner,
		"odd chunks":       start + "Host: evil.example\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
		"two hosts": start + "Host: " + host + "\r\nHost: evil.example\r\nContent-Length: " +
			"0\r\n\r\n",
		"another's address": "POST http://evil.example/api/match/start " +
			"HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n",
		"a long header": start + "Host: " + host + "\r\nX: " + strings.Repeat("x",
			40<<10) + "\r\n\r\n",
		"a space in a name": start + "Host : " + host + "\r\nContent-Length: 0\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, _ = io.WriteString(conn, text)
		_ = conn.(*net.TCPConn).CloseWrite()
		reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if good := name == "hidden in a body"; (reply.StatusCode == http.StatusOK) != good ||
			reply.StatusCode == http.StatusInternalServerError {
			t.Errorf("%s is answered with %s", name, reply.Status)
		}
		_ = conn.Close()
	}
}

// No file outside the folder is shown, whatever the folder contains or a client requests.
func TestLinksAmongRecordings(t *testing.T) {
	r := newRecorded(t, 3)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("root:x:0:0:"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(r.dir, "link.hexarena")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"link.hexarena", "link.hexarena/page.html", "../secret", "..%2fsecret", "%2e%2e%2fsecret",
		"..%5csecret", "....//secret",
		"%252e%252e%252fsecret", "link.hexarena%00.hexarena", "x%0d%0aSet-Cookie:%20a=b.hexarena", secret,
		"%2f" + secret[1:],
	} {
		status, body, header := r.get("/api/recordings/" + path)
		if status == http.StatusOK && strings.HasPrefix(body, "root:") ||
			strings.Contains(body, "root:x") || header.Get("Set-Cookie") != "" {
			t.Errorf("%s is answered with %d %s", path, status, body)
		}
		if status == http.StatusOK {
			t.Errorf("%s is answered with 200", path)
		}
	}
	if _, body, _ := r.get("/api/recordings"); strings.Contains(body, "link") {
		t.Errorf("a file that is not a recording is listed: %s", body)
	}
}
