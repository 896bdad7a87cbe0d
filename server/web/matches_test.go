package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// fakeMatch is a match whose events a test makes.
type fakeMatch struct {
	*feed.Feed
	frame match.Frame
}

// newFakeMatch returns a match between players; the first ones have more points.
func newFakeMatch(id string, players ...string) *fakeMatch {
	d := &fakeMatch{
		feed.New(feed.Options{ID: id, Game: "toy", Rules: ranking{players: len(players)}}),
		match.Frame{State: []byte(`{"a":1}`)},
	}
	d.frame.Table.Players = len(players)
	for i, name := range players {
		d.frame.Table.Seats = append(d.frame.Table.Seats, match.SeatInfo{
			Candidate: match.Candidate{Nickname: name}, ID: engine.PlayerID(i), Connected: true,
		})
	}
	return d
}

// ranking is a game in which lower ids have more points.
type ranking struct {
	engine.Game
	players int
}

func (ranking) Rules() string { return "toy/1" }

func (n ranking) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	return append(dst, engine.Count{Name: "points", Value: int64(n.players) - int64(p)})
}

func (d *fakeMatch) begin() *fakeMatch        { d.Started(&d.frame); return d }
func (d *fakeMatch) end(err error) *fakeMatch { d.Ended(&match.Ending{Err: err}); return d }

// serveMatches returns a page without a match.
func serveMatches(t *testing.T) *stage {
	t.Helper()
	s := newStage(t) // its match is on another page
	server, err := web.Listen(web.Options{Address: "127.0.0.1:0", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(t.Context()) }()
	t.Cleanup(func() { <-done })
	return &stage{Server: server, t: t, feed: s.feed}
}

// A request that comes between the opening of the page and the first match waits for the match.
func TestRequestBeforeTheFirstMatch(t *testing.T) {
	s := serveMatches(t)
	go s.Show(
		web.Match{Feed: newFakeMatch("one", "ann", "bob").Feed, Start: func() error { return nil }})
	if status, body, _ := s.get("/api/match"); status != 200 || !strings.Contains(body, `"id":"one"`) {
		t.Errorf("%d %s, want the first match", status, body)
	}
}

// An open page shows the rest of a match and then turns to the next one.
func TestViewersFollow(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	s := serveMatches(t)
	if status, body, _ := s.get("/api/match"); status != 404 ||
		!strings.Contains(body, "no match yet") {
		t.Errorf("no match: %d %s", status, body)
	}
	if status, body, _ := s.get("/api/health"); status != 200 || strings.Contains(body, "phase") {
		t.Errorf("health without a match: %d %s", status, body)
	}
	early := s.watch("")
	one := newFakeMatch("one", "ann", "bob")
	s.Show(web.Match{Feed: one.Feed})
	if e := early.next(); e.Type != "lobby" || e.ID != "one" {
		t.Fatalf("first %s, want the lobby of one", e.raw)
	}
	faithful := s.watch("?match=one")
	faithful.next()
	one.begin()
	two := newFakeMatch("two", "ann", "bob").begin()
	one.end(nil)
	s.Show(web.Match{Feed: two.Feed})
	for _, want := range []string{"start one", "end ", "start two"} {
		if e := early.next(); e.Type+" "+e.ID != want {
			t.Fatalf("%s, want %s", e.raw, want)
		}
	}
	three := newFakeMatch("three", "ann").begin()
	s.Add(web.Match{Feed: three.Feed})
	two.end(nil)
	if e := early.next(); e.Type != "end" {
		t.Errorf("%s, want the end of two", e.raw)
	}
	if e := s.watch("?match=three").next(); e.ID != "three" {
		t.Errorf("%s, want the start of three", e.raw)
	}
	if e := s.watch("?held=one&from=2").next(); e.ID != "two" {
		t.Errorf("%s, want the start of two for one who has one", e.raw)
	}
	for _, want := range []string{"start", "end"} {
		if e := faithful.next(); e.Type != want {
			t.Errorf("%s, want the %s of one", e.raw, want)
		}
	}
}

// listing is the part of a list of matches that tests read.
type listing struct {
	ID      string
	Phase   string
	Current bool
	May     []string
	Players []feed.Player
	Result  *feed.Result
}

func (s *stage) matches() (list []listing) {
	s.t.Helper()
	_, body, _ := s.get("/api/matches")
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		s.t.Fatalf("matches %s: %v", body, err)
	}
	return list
}

func TestMatchesThatAreKept(t *testing.T) {
	s := serveMatches(t)
	running := newFakeMatch("running", "ann").begin()
	s.Show(web.Match{Feed: running.Feed})
	for i := range 40 {
		s.Show(web.Match{Feed: newFakeMatch(fmt.Sprint("over", i), "ann", "bob").begin().end(nil).Feed})
	}
	s.Show(web.Match{Feed: newFakeMatch("lobby").Feed, Start: func() error { return nil }})
	list := s.matches()
	if n := len(list); n < 8 || n > 20 || list[0].ID != "lobby" || list[1].ID != "over39" ||
		list[n-1].ID != "running" {
		t.Fatalf("of 42 matches %d are kept: %+v", n, list)
	}
	if !list[0].Current || list[1].Current || !slices.Equal(list[0].May, []string{"start"}) {
		t.Errorf("the newest %+v, want it current and to be started", list[0])
	}
	if got, want := list[1].Players, []feed.Player{{Name: "ann", Rank: 1, Score: 2}, {Name: "bob", Rank: 2, Score: 1}}; !slices.Equal(got, want) {
		t.Errorf("players at the end %+v, want %+v", got, want)
	}
	if list[1].Result == nil || list[1].Phase != "over" {
		t.Errorf("a match that is over: %+v", list[1])
	}
	if status, _, _ := s.get("/api/match?match=over0"); status != http.StatusNotFound {
		t.Errorf("a match of long ago: %d, want 404", status)
	}
}

func TestPlayAgain(t *testing.T) {
	s := serveMatches(t)
	calls := 0
	d := newFakeMatch("one", "ann").begin()
	s.Show(web.Match{Feed: d.Feed, Again: func() error {
		if calls++; calls == 1 {
			return web.ErrNotOver
		}
		return nil
	}})
	if may := s.matches()[0].May; len(may) > 0 {
		t.Errorf("a running match may %q", may)
	}
	if status, body, _ := s.do("POST", "/api/match/again", nil); status != 409 ||
		!strings.Contains(body, "not over") {
		t.Errorf("again: %d %s, want 409", status, body)
	}
	d.end(nil)
	if may := s.matches()[0].May; !slices.Equal(may, []string{"again"}) {
		t.Errorf("a match that is over may %q", may)
	}
	if status, body, _ := s.do("POST", "/api/match/again?match=one", nil); status != 200 ||
		calls != 2 {
		t.Errorf("again: %d %s, asked %d times", status, body, calls)
	}
	if status, _, _ := s.do("POST", "/api/match/again", http.Header{"Origin": {"http://evil.example"}}); status != 403 || calls != 2 {
		t.Errorf("again from another site: %d, want 403", status)
	}
	s.Show(web.Match{Feed: newFakeMatch("two").Feed})
	if status, body, _ := s.do("POST", "/api/match/again?match=one", nil); status != 409 ||
		len(s.matches()[1].May) > 0 {
		t.Errorf("again after another match: %d %s, want 409", status, body)
	}
}
