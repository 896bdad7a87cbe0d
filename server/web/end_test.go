package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// A request for the end of a match waits for it. A player finds its match by the seed that it got.
func TestEndIsAwaited(t *testing.T) {
	thorough.Long(t)
	s := serveMatches(t)
	seed := match.SeriesOf(nil).Seed(1)
	old, played, gathering := newFakeMatch("old", "ann"), newFakeMatch("played", "ann", "bob"), newFakeMatch("gathering")
	for _, d := range []*fakeMatch{old.begin().end(nil), played.begin(), gathering} {
		s.Add(web.Match{Feed: d.Feed})
	}
	type answer struct {
		status int
		body   string
	}
	answers := make(chan answer, 2)
	for _, query := range []string{"match=played", fmt.Sprint("player=1&seed=", seed)} {
		go func() {
			status, body, _ := s.get("/api/match/end?" + query)
			answers <- answer{status, body}
		}()
	}
	played.end(nil)
	for range 2 {
		if a := <-answers; a.status != 200 || !strings.HasPrefix(a.body, `{"type":"end"`) ||
			!strings.Contains(a.body, `"player":1`) {
			t.Errorf("%d %s, want the end of the match of two", a.status, a.body)
		}
	}
	old.Release()
	if status, body, _ := s.get("/api/match/end?match=old"); status != 404 {
		t.Errorf("the end of a match that is no longer kept: %d %s", status, body)
	}
}
