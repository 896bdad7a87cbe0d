package host

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

func TestSidecarFromEnvironment(t *testing.T) {
	for _, tt := range []struct{ port, want, fault string }{
		{"", "", ""},
		{"9358", "http://127.0.0.1:9358/", ""},
		{"0", "", `AGONES_SDK_HTTP_PORT = "0": want a port`},
		{"tcp://10.0.0.1:80", "", "want a port"},
	} {
		s, err := SidecarFromEnvironment(func(string) string { return tt.port }, zerolog.Nop())
		got := ""
		if s != nil {
			got = s.base
		}
		if got != tt.want || (err == nil) != (tt.fault == "") ||
			err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("SidecarFromEnvironment(%q) = %q, %v, want %q, %q", tt.port, got, err, tt.want, tt.fault)
		}
	}
}

// sdk starts a fake sidecar that records the calls.
func sdk(t *testing.T, answer func(path string) int) (address string, calls chan string) {
	calls = make(chan string, 1000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || string(body) != "{}" || err != nil {
			t.Errorf("%s %s %q, want POST {}", r.Method, r.URL, body)
		}
		status := answer(r.URL.Path)
		if status == http.StatusOK {
			calls <- r.URL.Path
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), calls
}

func next(t *testing.T, calls chan string) string {
	t.Helper()
	select {
	case path := <-calls:
		return path
	case <-time.After(20 * time.Second):
		t.Fatal("the sidecar got no call")
		return ""
	}
}

func TestCallsInOrder(t *testing.T) {
	thorough.Full(t)
	t.Parallel()
	var refusals atomic.Int32
	address, calls := sdk(t, func(path string) int {
		if path == "/ready" && refusals.Add(1) <= 2 {
			return http.StatusServiceUnavailable // the sidecar is still starting
		}
		return http.StatusOK
	})
	s := newSidecar(address, zerolog.Nop())
	stop := s.Start()
	var got []string
	until := func(path string) {
		for {
			call := next(t, calls)
			if call != "/health" || path == "/health" {
				got = append(got, call)
			}
			if call == path {
				return
			}
		}
	}
	until("/ready")
	until("/health")
	s.Started(nil)
	until("/allocate")
	stop()
	until("/shutdown")
	if want := []string{"/ready", "/health", "/allocate", "/shutdown"}; !slices.Equal(got, want) {
		t.Errorf("the sidecar got %v, want %v", got, want)
	}
}

func TestSidecarDoesNotAnswer(t *testing.T) {
	thorough.Full(t)
	t.Parallel()
	var log bytes.Buffer
	s := newSidecar("127.0.0.1:1", zerolog.New(&log))
	for range sidecarQueue + 1 {
		s.Started(nil) // must not block
	}
	s.Start()() // must return
	if !strings.Contains(log.String(), "call dropped") {
		t.Errorf("log = %s, want the dropped call", log.String())
	}
}
