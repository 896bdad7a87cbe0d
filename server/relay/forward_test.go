package relay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// serveHTTP returns the address of a server with a handler.
func serveHTTP(t *testing.T, handler http.HandlerFunc) string {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// Many that ask for the same at once cost the server one request, and an answer that has not changed is not sent again.
func TestAnswersAreShared(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	var asked, unchanged atomic.Int32
	var seen sync.Map
	server := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/recordings/x" {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		for name := range r.Header {
			seen.Store(name, r.Header.Get(name))
		}
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Set-Cookie", "a=b")
		if r.Header.Get("If-None-Match") == `"1"` {
			unchanged.Add(1)
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, "events")
	})
	r := openRelay(t, server)
	ask := func() {
		q, _ := http.NewRequest("GET", r.URL()+"api/recordings/x", nil)
		q.Header.Set("Authorization", "Bearer secret")
		q.Header.Set("Cookie", "secret=1")
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		if body, _ := io.ReadAll(answer.Body); string(body) != "events" || answer.Header.Get("Set-Cookie") != "" {
			t.Errorf("the answer is %s, %v", body, answer.Header)
		}
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(ask)
	}
	all.Wait()
	if n := asked.Load(); n > 10 { // one a second
		t.Errorf("50 clients cost the server %d requests", n)
	}
	await(t, "the ETag", func() bool { ask(); return unchanged.Load() > 0 })
	for _, name := range []string{"Authorization", "Cookie"} {
		if value, found := seen.Load(name); found {
			t.Errorf("the server gets %s: %v", name, value)
		}
	}
	if _, found := seen.Load("Via"); !found {
		t.Error("the server cannot tell that requests are forwarded")
	}
}

// Answers that are too large are refused, with the address of the server.
func TestLargeAnswers(t *testing.T) {
	thorough.Long(t)
	server := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 9 << 10 {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
				return
			}
		}
	})
	r := openRelay(t, server)
	status, body := get(t, r, "/api/recordings/x")
	if status != http.StatusBadGateway || !strings.Contains(body, server) {
		t.Errorf("%d %.200s, want %d with %s", status, body, http.StatusBadGateway, server)
	}
}
