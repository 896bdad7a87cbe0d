package relay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/relay"
	"github.com/hexarena/hexarena/server/web"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits before it fails.
const patience = 30 * time.Second

// served is a server or a relay that runs until stop is called or the test ends.
type served struct {
	*web.Server
	stop func()
	log  *logBuffer
}

func run(t *testing.T, page *web.Server, serve func(context.Context) error, log *logBuffer) *served {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = serve(ctx) })
	s := &served{page, sync.OnceFunc(func() {
		http.DefaultClient.CloseIdleConnections()
		cancel()
		running.Wait()
	}), log}
	t.Cleanup(s.stop)
	return s
}

// openServer returns a server at an address that shows the given matches, of which the last one is the current one.
func openServer(t *testing.T, address string, matches ...*feed.Feed) *served {
	t.Helper()
	page, err := web.Listen(web.Options{Address: address, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range matches {
		page.Show(web.Match{Feed: f, Map: []byte(`{"cells":[]}`)})
	}
	return run(t, page, page.Serve, nil)
}

// openRelay returns a relay of a server.
func openRelay(t *testing.T, url string, change ...func(*relay.Options)) *served {
	t.Helper()
	log := &logBuffer{}
	o := relay.Options{Server: url, MaxLag: patience, Web: web.Options{Address: "127.0.0.1:0", Version: "test"}, Log: zerolog.New(log)}
	for _, f := range change {
		f(&o)
	}
	r, err := relay.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return run(t, r.Page(), func(ctx context.Context) error { r.Run(ctx); return nil }, log)
}

// logBuffer keeps what is logged.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// played is a match whose turns the test adds.
type played struct {
	*feed.Feed
	t    *testing.T
	next int
}

// newMatch returns a match that has started.
func newMatch(t *testing.T, id string) *played {
	t.Helper()
	p := &played{Feed: feed.NewMirror(feed.Brief{ID: id}, feed.Options{MaxLag: patience}), t: t}
	p.add(feed.KeyRecord, `{"type":"start","id":"`+id+`",`, `"state":{"n":0}`, `}`, "")
	return p
}

func (p *played) add(kind feed.Kind, before, body, after, state string) {
	p.t.Helper()
	r := feed.Record{Event: feed.Event{Data: []byte(before + body + after)}, Kind: kind, Index: p.next, From: len(before), To: len(before) + len(body)}
	if r.From == r.To {
		r.From, r.To = 0, 0
	}
	if state != "" {
		r.State = []byte(state)
	}
	if err := p.Receive(r, &feed.Brief{ID: p.ID(), Game: "hexabomb", Turns: 1000, Players: []feed.Player{}, Addresses: []string{}}); err != nil {
		p.t.Fatal(err)
	}
	p.next++
}

// play plays turns, of which every tenth is a key.
func (p *played) play(turns int) {
	p.t.Helper()
	for range turns {
		kind, state := feed.DeltaRecord, ""
		if p.next%10 == 0 {
			kind, state = feed.KeyRecord, fmt.Sprintf(`{"n":%d}`, p.next)
		}
		p.add(kind, fmt.Sprintf(`{"type":"turn","turn":%d,`, p.next), fmt.Sprintf(`"delta":{"n":%d}`, p.next), `,"winner":-1}`, state)
	}
}

func (p *played) end() {
	p.t.Helper()
	p.add(feed.EndRecord, `{"type":"end"}`, "", "", "")
}

// viewer is a viewer of a page.
type viewer struct {
	*websocket.Conn
	t    *testing.T
	away bool // what it was told last
}

func watch(t *testing.T, s *served, query string) *viewer {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL(), "http")+"api/live"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &viewer{Conn: conn, t: t}
}

// until returns the texts up to the first that contains what is wanted. Numbers of viewers count only if they are wanted.
func (v *viewer) until(wanted string) (list []string) {
	v.t.Helper()
	for {
		_ = v.SetReadDeadline(time.Now().Add(patience))
		_, text, err := v.ReadMessage()
		if err != nil {
			v.t.Fatalf("after %d events, before %s: %v", len(list), wanted, err)
		}
		found := strings.Contains(string(text), wanted)
		if strings.HasPrefix(string(text), `{"type":"viewers"`) {
			v.away = strings.Contains(string(text), `"away":true`)
		}
		if found || !strings.HasPrefix(string(text), `{"type":"viewers"`) {
			list = append(list, string(text))
		}
		if found {
			return list
		}
	}
}

// get returns what a server answers to a request of a path.
func get(t *testing.T, s *served, path string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(strings.TrimSuffix(s.URL(), "/") + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// health is what /api/health says.
type health struct {
	Viewers, Relays int
	Away            bool
	RelayOf         string `json:"relay_of"`
}

func healthOf(t *testing.T, s *served) (h health) {
	t.Helper()
	_, body := get(t, s, "/api/health")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waiting for %s", what)
		}
	}
}
