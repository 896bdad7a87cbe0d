package web_test

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// long plays turns of about 8 kB each.
func (s *stage) long(turns int) {
	s.t.Helper()
	show := `{"text":"` + strings.Repeat("x", 4000) + `"}`
	for range turns {
		for _, b := range s.bots {
			b.place.Answer(s.turns-1, []byte("[]"), []byte(show), time.Millisecond)
		}
		wait(s.t, s.played)
		s.turns++
	}
}

// replace shows enough matches that the first one is no longer kept.
func (s *stage) replace() {
	for i := range 2 * 12 {
		s.Show(web.Match{Feed: newFakeMatch(fmt.Sprint("other", i), "ann").begin().end(nil).Feed})
	}
}

// A client that reads a match slowly does not keep it in memory, and notices that the
// response is incomplete.
func TestReleasedMatches(t *testing.T) {
	thorough.Full(t)
	t.Parallel()
	const turns = 1000
	s := newStage(t, func(_ *web.Options, _ *web.Match, o *match.Options) { o.Settings.Turns = turns })
	s.begin()
	s.long(turns - 1)
	wait(t, s.ended)
	id := s.feed.ID()
	status, _, conn := s.stall("/api/match/events?match=" + id)
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	defer conn.Close()
	faithful := s.watch("?match=" + id)
	for e := faithful.next(); e.Type != "end"; e = faithful.next() {
	}
	s.replace()
	if s.feed.Size() != 0 {
		t.Errorf("%d bytes of a match that is no longer shown are kept", s.feed.Size())
	}
	if status, body, _ := s.get("/api/match/events?match=" + id); status != 404 {
		t.Errorf("events: %d %s, want 404", status, body)
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	rest, err := io.ReadAll(conn)
	if err == nil && strings.HasSuffix(string(rest), "0\r\n\r\n") {
		t.Errorf("%d bytes of a match that was released end as if they were all", len(rest))
	}
	_ = faithful.SetReadDeadline(time.Now().Add(patience))
	for err = nil; err == nil; {
		_, _, err = faithful.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("a viewer of a match that was released is told %v", err)
	}
}

// The size of the histories of finished matches follows the memory limit; the newest is
// always kept.
func TestHistoriesFollowTheMemoryLimit(t *testing.T) {
	thorough.Long(t)
	s := serveMatches(t)
	const limit = 64 << 20 // a sixteenth of it is 4 MiB
	before := debug.SetMemoryLimit(limit)
	defer debug.SetMemoryLimit(before)
	show := func(id string, size int) *fakeMatch {
		d := newFakeMatch(id, "ann")
		d.frame.State = []byte(`{"a":"` + strings.Repeat("x", size) + `"}`)
		s.Show(web.Match{Feed: d.begin().end(nil).Feed})
		return d
	}
	var matches []*fakeMatch
	for i := range 5 {
		matches = append(matches, show(fmt.Sprint(i), 3<<19))
	}
	if n := len(s.matches()); n != 2 {
		t.Errorf("%d matches of 1.5 MiB are kept, want 2", n)
	}
	for i, d := range matches {
		if kept := d.Size() > 0; kept != (i >= 3) {
			t.Errorf("the history of match %d is kept: %v", i, kept)
		}
	}
	show("large", 6<<20)
	if list := s.matches(); len(list) != 1 || list[0].ID != "large" {
		t.Errorf("beside one that takes it all, kept are %+v", list)
	}
}
