package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/web"
)

// A player that names no match joins the newest one that can be joined, even if another
// one is the current match.
func TestPlayersFindTheirMatch(t *testing.T) {
	s := serveMatches(t)
	seats := func(name string) http.Handler {
		return http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(name)) })
	}
	s.Show(web.Match{Feed: newFakeMatch("one", "ann").Feed, Players: seats("one")})
	s.Show(web.Match{Feed: newFakeMatch("two", "ann").Feed, Players: seats("two")})
	s.Show(web.Match{Feed: newFakeMatch("three", "ann").begin().Feed})
	for query, want := range map[string]string{
		"": "two", "?match=one": "one", "?match=three": "players cannot join",
		"?match=four": "no such match",
	} {
		if _, body, _ := s.get("/netorcai" + query); !strings.Contains(body, want) {
			t.Errorf("GET /netorcai%s: %s, want %s", query, body, want)
		}
	}
}
