package join

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A redirect to another host is not followed, and one on the same host is.
func TestRedirects(t *testing.T) {
	asked := false
	elsewhere := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer elsewhere.Close()
	var to string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/there" {
			_, _ = w.Write([]byte(`{"status":"ok"}`))
			return
		}
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	at, err := ParseAddress(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(at)
	to = elsewhere.URL + "/secret"
	if _, err := a.health(t.Context()); err == nil || !strings.Contains(err.Error(), "307") || asked {
		t.Errorf("a redirect to another host: %v, followed: %v", err, asked)
	}
	to = "/there"
	if h, err := a.health(t.Context()); err != nil || h.Status != "ok" {
		t.Errorf("a redirect on the same host: %+v, %v", h, err)
	}
}
