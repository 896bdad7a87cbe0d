package relay_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/relay"
	"github.com/hexarena/hexarena/server/relay/envelope"
	"github.com/hexarena/hexarena/server/web"
)

// Viewers of a relay, and of a relay of it, get the bytes that those of the server get, whenever they connect. The server has one
// subscription and no viewers.
func TestViewersGetTheSameBytes(t *testing.T) {
	m := newMatch(t, "A")
	server := openServer(t, "127.0.0.1:0", m.Feed)
	near := openRelay(t, server.URL())
	far := openRelay(t, near.URL())
	await(t, "the relays", func() bool { return healthOf(t, far).RelayOf != "" && healthOf(t, near).Relays == 1 })
	direct := watch(t, server, "")
	var others []*viewer
	early := func(s *served) { others = append(others, watch(t, s, "")) }
	for _, s := range []*served{near, far} {
		await(t, "the match", func() bool { status, _ := get(t, s, "/api/match"); return status == http.StatusOK })
		early(s)
	}
	m.play(75)
	direct.until(`"turn":75,`)
	for _, s := range []*served{near, far} {
		late := watch(t, s, "?match=A")
		late.until(`"turn":75,`)
		others = append(others, watch(t, s, ""), watch(t, s, "?match=A"))
		_ = late.Close()
	}
	m.play(55)
	m.end()
	_ = direct.Close()
	again := watch(t, server, "")
	want := again.until(`"end"`)
	_ = again.Close()
	for i, v := range others {
		if got := v.until(`"end"`); !slices.Equal(got, want) {
			t.Errorf("viewer %d gets %d events, want %d, the same", i, len(got), len(want))
		}
	}
	for _, path := range []string{"/api/match", "/api/match/state?turn=64", "/api/match/state", "/api/match/events?from=3&to=90", "/api/matches", "/api/match/end"} {
		_, want := get(t, server, path)
		for _, s := range []*served{near, far} {
			if status, got := get(t, s, path); status != http.StatusOK || got != want {
				t.Errorf("%s: %d %.200s, want %.200s", path, status, got, want)
			}
		}
	}
	await(t, "viewers to leave", func() bool { return healthOf(t, server).Viewers == 0 })
	if h := healthOf(t, server); h.Relays != 1 {
		t.Errorf("the server has %+v, want one relay", h)
	}
	if h := healthOf(t, near); h.Relays != 1 || h.Viewers < 3 || h.RelayOf != server.URL() {
		t.Errorf("the first relay has %+v, want one relay and three viewers", h)
	}
}

// A relay with little memory has the last whole state and what follows it.
func TestMatchMemory(t *testing.T) {
	m := newMatch(t, "A")
	m.play(57)
	r := openRelay(t, openServer(t, "127.0.0.1:0", m.Feed).URL(), func(o *relay.Options) { o.MatchBytes = 1000 })
	await(t, "the match", func() bool { status, _ := get(t, r, "/api/match"); return status == http.StatusOK })
	got := watch(t, r, "").until(`"turn":57,`)
	if len(got) != 9 || got[1] != `{"type":"turn","turn":50,"state":{"n":50},"winner":-1}` {
		t.Errorf("a late viewer gets %q", got)
	}
}

// Matches come and go: viewers that follow see the newest one, and those of a match that is gone are told.
func TestMatchesComeAndGo(t *testing.T) {
	first := newMatch(t, "A")
	server := openServer(t, "127.0.0.1:0", first.Feed)
	r := openRelay(t, server.URL())
	await(t, "the match", func() bool { status, _ := get(t, r, "/api/match"); return status == http.StatusOK })
	follows, stays := watch(t, r, ""), watch(t, r, "?match=A")
	first.play(3)
	first.end()
	stays.until(`"end"`)
	for k := range 13 { // of the finished ones a dozen is kept
		m := newMatch(t, fmt.Sprint("B", k))
		server.Show(web.Match{Feed: m.Feed})
		m.play(1)
		m.end()
	}
	last := newMatch(t, "C")
	server.Show(web.Match{Feed: last.Feed})
	follows.until(`"id":"C"`)
	if _, _, err := stays.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("the viewer of a match that is not kept: %v", err)
	}
	_, want := get(t, server, "/api/matches")
	await(t, "the same matches", func() bool { _, got := get(t, r, "/api/matches"); return got == want })
}

// The server is killed and started again, first with the same match, of which the relay gets the rest, then with another one. Viewers stay
// connected and are told.
func TestServerIsAway(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	m := newMatch(t, "A")
	server := openServer(t, "127.0.0.1:0", m.Feed)
	address := server.Addr().String()
	r := openRelay(t, server.URL())
	far := openRelay(t, r.URL())
	v, distant := watch(t, r, ""), watch(t, far, "")
	m.play(5)
	v.until(`"turn":5,`)
	distant.until(`"turn":5,`)
	server.stop()
	v.until(`"away":true`)
	distant.until(`"away":true`)
	if !healthOf(t, r).Away {
		t.Error("the relay's health does not say that the server is away")
	}
	if status, _ := get(t, r, "/api/match/state"); status != http.StatusOK {
		t.Errorf("while the server is away, the state is %d", status)
	}
	if status, body := get(t, r, "/api/recordings"); status != http.StatusBadGateway || !strings.Contains(body, address) {
		t.Errorf("while the server is away, its recordings are %d %s", status, body)
	}
	m.play(5)
	server = openServer(t, address, m.Feed)
	if got := v.until(`"turn":10,`); len(got) != 5 {
		t.Errorf("after the break the viewer gets %q", got)
	}
	for v.away { // a viewer that has not been told yet is not told that the server is away again
		v.until(`{"type":"viewers"`)
	}
	server.stop()
	v.until(`"away":true`)
	openServer(t, address, newMatch(t, "B").Feed)
	v.until(`"id":"B"`)
	distant.until(`"id":"B"`)
	await(t, "the server", func() bool { return !healthOf(t, r).Away })
	if status, _ := get(t, r, "/api/match?match=A"); status != http.StatusNotFound {
		t.Errorf("the match of the server that was killed: %d", status)
	}
	if lines := strings.Count(r.log.String(), "is away"); lines != 2 {
		t.Errorf("the log says %d times that the server is away:\n%s", lines, r.log)
	}
}

// Nothing that changes a state passes through a relay.
func TestRelaysOnlyShow(t *testing.T) {
	server := openServer(t, "127.0.0.1:0", newMatch(t, "A").Feed)
	r := openRelay(t, server.URL())
	for _, path := range []string{"/api/match/start", "/api/match/again", "/api/match/restart", "/api/match/fill", "/api/recordings/x/delete", "/game/new", "/"} {
		answer, err := http.Post(strings.TrimSuffix(r.URL(), "/")+path, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusMisdirectedRequest && (path != "/" || answer.StatusCode != http.StatusMethodNotAllowed) {
			t.Errorf("POST %s: %s", path, answer.Status)
		}
	}
	for _, path := range []string{"netorcai", "person", "htttx/session"} {
		_, answer, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(r.URL(), "http")+path, nil)
		if err == nil || answer == nil || answer.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s: %v, %v", path, answer, err)
		}
	}
	if status, body := get(t, r, "/api/map"); status != http.StatusOK || body != `{"cells":[]}` {
		t.Errorf("the map is %d %s", status, body)
	}
}

// A server that sends garbage costs a line of the log, and viewers are told that it is away, or do not notice.
func TestGarbage(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	hello := (&envelope.Envelope{Kind: envelope.Hello, Version: envelope.Version, Server: map[string]any{"viewers": true, "cup": 1}}).Bytes()
	start := func(id string) []byte {
		return (&envelope.Envelope{Kind: feed.KeyRecord, Match: id, From: 0, To: len(`"state":{}`), About: &feed.Brief{ID: id}, Event: []byte(`"state":{}`)}).Bytes()
	}
	many := [][]byte{hello}
	for k := range 1001 {
		many = append(many, start(fmt.Sprint("M", k)))
	}
	for what, messages := range map[string][][]byte{
		"nothing":            {},
		"no header":          {[]byte("{}")},
		"no JSON":            {[]byte("tea\n")},
		"another version":    {[]byte(`{"kind":"hello","version":9}` + "\n")},
		"a wrong length":     {hello, []byte(`{"kind":"key","match":"A","length":99}` + "\n{}")},
		"a negative length":  {hello, []byte(`{"kind":"key","match":"A","length":-1}` + "\n{}")},
		"an unknown kind":    {hello, start("A"), []byte(`{"kind":"tea","match":"A"}` + "\n{}")},
		"an unknown match":   {hello, []byte(`{"kind":"delta","match":"A","turn":3}` + "\n{}")},
		"a wrong name":       {hello, []byte(`{"kind":"key","match":"A","about":{"id":"B"}}` + "\n{}")},
		"a long name":        {hello, []byte(`{"kind":"key","match":"` + strings.Repeat("A", 200) + `"}` + "\n{}")},
		"a wrong body":       {hello, []byte(`{"kind":"key","match":"A","length":2,"from":-5,"to":70,"about":{"id":"A"}}` + "\n{}")},
		"too many matches":   many,
		"too long a list":    {hello, (&envelope.Envelope{Kind: envelope.Matches, Matches: make([]string, 1001)}).Bytes()},
		"an unknown current": {hello, (&envelope.Envelope{Kind: envelope.Matches, Matches: []string{"x", "x", ""}, Current: "y"}).Bytes()},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			upgrader, connections := websocket.Upgrader{}, make(chan struct{}, 100)
			fake := serveHTTP(t, func(w http.ResponseWriter, q *http.Request) {
				conn, err := upgrader.Upgrade(w, q, nil)
				if err != nil {
					return
				}
				defer conn.Close()
				_, _, _ = conn.ReadMessage()
				for _, m := range messages {
					if conn.WriteMessage(websocket.BinaryMessage, m) != nil {
						break
					}
				}
				select {
				case connections <- struct{}{}:
				default:
				}
			})
			r := openRelay(t, fake)
			for range 4 { // it connects again
				<-connections
			}
			if h := healthOf(t, r); h.Viewers != 0 {
				t.Errorf("health is %+v", h)
			}
			get(t, r, "/api/match/state?match=A")
			watch(t, r, "").Close()
			if lines := strings.Count(r.log.String(), "\n"); lines > 8 || strings.Contains(r.log.String(), "goroutine") {
				t.Errorf("%d lines of log:\n%s", lines, r.log)
			}
		})
	}
}
