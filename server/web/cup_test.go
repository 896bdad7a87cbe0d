package web_test

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// fakeCup is a cup whose scoreboard the test decides.
type fakeCup struct {
	board atomic.Pointer[web.Document] // nil: it cannot be read
}

var errSecret = errors.New("/home/secret: no such file")

func (c *fakeCup) Scoreboard() (*web.Document, error) {
	if d := c.board.Load(); d != nil {
		return d, nil
	}
	return nil, errSecret
}

func (c *fakeCup) Matches(bot, against string) ([]byte, error) {
	if c.board.Load() == nil {
		return nil, errSecret
	}
	return []byte(`["` + bot + `","` + against + `"]`), nil
}

// A server that shows a cup begins with the cup, and sends the scoreboard when it has changed.
func TestCupPage(t *testing.T) {
	c := &fakeCup{}
	c.board.Store(web.NewDocument([]byte(`{"name":"one"}`)))
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) { o.Cup = c })
	status, body, _ := s.get("/") // it leads to /cup
	if status != 200 || !strings.Contains(body, "assets/cup-") {
		t.Errorf("/: %d, %s", status, body)
	}
	if status, same, _ := s.get("/cup"); status != 200 || same != body {
		t.Errorf("/cup: %d, %s", status, same)
	}
	sent := len(body)
	for _, ref := range regexp.MustCompile(`"/(assets/[^"]+)"`).FindAllStringSubmatch(body, -1) {
		_, packed, _ := s.do("GET", "/"+ref[1], http.Header{"Accept-Encoding": {"gzip"}})
		sent += len(packed)
	}
	if sent > firstView/4 {
		t.Errorf("the page of a cup takes %d bytes, want at most %d", sent, firstView/4)
	}
	if status, body, _ := s.get("/?recording=12.hexarena"); status != 200 ||
		!strings.Contains(body, "assets/app-") {
		t.Errorf("a recording: %d, %s, want the page of matches", status, body)
	}
	status, body, header := s.do("GET", "/api/cup", http.Header{"Accept-Encoding": {"identity"}})
	if status != 200 || body != `{"name":"one"}` || header.Get("Content-Type") != "application/json" {
		t.Errorf("/api/cup: %d, %s, %v", status, body, header)
	}
	have := http.Header{"If-None-Match": {header.Get("ETag")}, "Accept-Encoding": {"identity"}}
	if status, body, _ := s.do("GET", "/api/cup", have); status != http.StatusNotModified ||
		body != "" {
		t.Errorf("an unchanged scoreboard: %d, %s", status, body)
	}
	c.board.Store(web.NewDocument([]byte(`{"name":"two"}`)))
	if status, body, _ := s.do("GET", "/api/cup", have); status != 200 || body != `{"name":"two"}` {
		t.Errorf("a changed scoreboard: %d, %s", status, body)
	}
	if status, body, _ := s.get("/api/cup/matches?bot=a&against=b%20c"); status != 200 ||
		body != `["a","b c"]` {
		t.Errorf("matches: %d, %s", status, body)
	}
	c.board.Store(nil)
	for _, path := range []string{"/api/cup", "/api/cup/matches?bot=a&against=b"} {
		if status, body, _ := s.get(path); status != 500 || strings.Contains(body, "secret") {
			t.Errorf("%s of a cup that cannot be read: %d, %s", path, status, body)
		}
	}
}

// Other servers have no cup.
func TestNoCup(t *testing.T) {
	s := newStage(t)
	for _, path := range []string{"/cup", "/api/cup", "/api/cup/matches"} {
		if status, body, _ := s.get(path); status != 404 {
			t.Errorf("%s: %d, %s", path, status, body)
		}
	}
	if _, body, _ := s.get("/api/health"); !strings.Contains(body, `"cup":false`) {
		t.Errorf("health: %s", body)
	}
}
