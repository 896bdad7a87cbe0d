package probe_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/server/machine/probe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask sends a probe and returns the answer.
func ask(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(text))
}

// Probes are answered however many connections are silent.
func TestProbesAreAnswered(t *testing.T) {
	var ready atomic.Bool
	addr, stop, err := probe.Start(
		probe.Options{Address: "127.0.0.1:0", Ready: ready.Load, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for i := range 100 {
		conn, err := net.Dial("tcp", addr.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\n")
		}
	}
	url := "http://" + addr.String()
	for _, tt := range []struct {
		path   string
		ready  bool
		status int
		body   string
	}{
		{"/healthz", false, 200, `{"status":"ok"}`},
		{"/readyz", false, 503, `{"error":"there is no running or upcoming match"}`},
		{"/readyz", true, 200, `{"status":"ready"}`},
		{"/", true, 404, "404 page not found"},
	} {
		ready.Store(tt.ready)
		if status, body := ask(t, url+tt.path); status != tt.status || body != tt.body {
			t.Errorf("%s: %d %s, want %d %s", tt.path, status, body, tt.status, tt.body)
		}
	}
}

func TestAddressIsTaken(t *testing.T) {
	addr, stop, err := probe.Start(probe.Options{Address: "127.0.0.1:0", Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if _, _, err := probe.Start(probe.Options{Address: addr.String(), Log: zerolog.Nop()}); err == nil {
		t.Error("an address is taken twice")
	}
}
