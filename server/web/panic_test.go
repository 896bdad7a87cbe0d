package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

// A panic in serving a viewer ends its connection. The match goes on, others see
// all of it, and the log tells of each panic once.
func TestPanicOverAViewer(t *testing.T) {
	var log servertest.Log
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) { o.Log = zerolog.New(&log) })
	s.begin()
	v := s.watch("")
	v.until(1)
	mend := s.Break()
	s.play(1)
	if code := v.closed(); code != 1006 { // no goodbye
		t.Errorf("the connection was closed with %d", code)
	}
	mend()
	s.play(1)
	if err := consecutive(s.watch("").until(3), 0); err != nil {
		t.Error(err)
	}
	if status, body, _ := s.get("/api/match"); status != http.StatusOK {
		t.Errorf("GET /api/match: %d %s", status, body)
	}
	s.stop()
	if n := strings.Count(log.String(), "Serving a viewer failed"); n != 1 || !strings.Contains(log.String(), "web.(*viewer).send") {
		t.Errorf("the log tells of %d panics:\n%s", n, log.String())
	}
}
