package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits before it calls something hung.
const patience = 30 * time.Second

// stage is a match that a test plays turn by turn, and the server that shows it.
type stage struct {
	*web.Server
	t      testing.TB
	feed   *feed.Feed
	match  *match.Match
	bots   []*bot
	played chan struct{} // a turn was played
	ended  chan struct{} // the match is over, and all who watched it know
	turns  int           // that were played
	stop   func()        // the match and the server

	mu     sync.Mutex
	states []string // after each turn, that of the start first
}

// newStage is a match of two players that has not started, on a served page. Its
// viewers may be as slow as a busy machine is.
func newStage(t testing.TB, change ...func(*web.Options, *web.Match, *match.Options)) *stage {
	t.Helper()
	return newStageFor(t, time.Minute, change...)
}

// newStageFor is newStage for viewers who may fall behind only so far, 0 for as
// far as is usual.
func newStageFor(t testing.TB, maxLag time.Duration, change ...func(*web.Options, *web.Match, *match.Options)) *stage {
	t.Helper()
	board, err := maps.Load(maps.Default)
	if err != nil {
		t.Fatal(err)
	}
	game := hexabomb.New(board)
	s := &stage{t: t, played: make(chan struct{}, 1), ended: make(chan struct{})}
	settings := match.Settings{Players: 2, Turns: 60_000}
	s.feed = feed.New(feed.Options{Game: "hexabomb", Rules: game, Map: maps.Default, Settings: settings, MaxLag: maxLag})
	mo := match.Options{
		Settings: settings, Referee: match.Local(game), Watchers: []match.Watcher{s.feed, (*noter)(s)},
		Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) },
	}
	wo := web.Options{Address: "127.0.0.1:0", Version: "test", Starter: []byte(`print("hello")`)}
	wm := web.Match{Feed: s.feed, Map: board.AppendJSON(nil)}
	for _, f := range change {
		f(&wo, &wm, &mo)
	}
	s.match = match.New(mo)
	if wm.Start == nil {
		wm.Start = s.match.Start
	}
	if s.Server, err = web.Listen(wo); err != nil {
		t.Fatal(err)
	}
	s.Show(wm)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		defer close(s.ended)
		s.match.Run(ctx)
	})
	running.Go(func() {
		if err := s.Serve(ctx); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	s.stop = sync.OnceFunc(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		running.Wait()
	})
	t.Cleanup(s.stop)
	return s
}

// begin seats two bots and starts the match.
func (s *stage) begin() {
	s.t.Helper()
	for i := range 2 {
		b := &bot{rng: rand.New(rand.NewPCG(7, uint64(i)))}
		place, err := s.match.Join(b, match.Candidate{Nickname: fmt.Sprint("bot", i), Remote: fmt.Sprint("10.0.0.", i)})
		if err != nil {
			s.t.Fatal(err)
		}
		b.place = place
		s.bots = append(s.bots, b)
	}
	if err := s.match.Start(); err != nil {
		s.t.Fatal(err)
	}
	wait(s.t, s.played) // the board before the first answers
	s.turns = 1
}

// play plays n turns.
func (s *stage) play(n int) {
	s.t.Helper()
	for range n {
		for _, b := range s.bots {
			b.place.Answer(s.turns-1, b.actions(), nil, time.Millisecond)
		}
		wait(s.t, s.played)
		s.turns++
	}
}

func (s *stage) state(turn int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.states[turn]
}

func wait(t testing.TB, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("nothing happens")
	}
}

// noter notes the states of a match.
type noter stage

func (n *noter) Joined(match.SeatInfo, match.Role) {}
func (n *noter) Left(match.SeatInfo, match.Role)   {}
func (n *noter) Started(f *match.Frame)            { n.note(f) }
func (n *noter) Ended(*match.Ending)               {}

func (n *noter) Played(p *match.Play) {
	n.note(p.Frame)
	n.played <- struct{}{}
}

func (n *noter) note(f *match.Frame) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.states = append(n.states, string(f.State))
}

// bot is a seat whose answers the test gives.
type bot struct {
	place *match.Place
	rng   *rand.Rand
}

func (b *bot) Welcome(*match.Place)                {}
func (b *bot) Begin(*match.Frame, engine.PlayerID) {}
func (b *bot) Offer(*match.Frame)                  {}
func (b *bot) Kick(error)                          {}

func (b *bot) actions() []byte {
	directions := []string{"x+", "y+", "z+", "x-", "y-", "z-"}
	list := []string{}
	for id := range 10 {
		a := fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%s"}`, id, directions[b.rng.IntN(6)])
		if b.rng.IntN(5) == 0 {
			a = fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":3,"bomb_delay":2}`, id)
		}
		list = append(list, a)
	}
	return []byte("[" + strings.Join(list, ",") + "]")
}

// event is any event, as a viewer sees it.
type event struct {
	Type    string
	ID      string
	Turn    int
	State   json.RawMessage
	Delta   json.RawMessage
	Present []any
	Count   int
	raw     string
}

func parse(t testing.TB, data []byte) (e event) {
	t.Helper()
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("event %.200q: %v", data, err)
	}
	e.raw = string(data)
	return e
}

// audience is one viewer of a test.
type audience struct {
	*websocket.Conn
	t testing.TB
}

// watch has a viewer look on; query is such as "?from=3".
func (s *stage) watch(query string) *audience {
	s.t.Helper()
	d := websocket.Dialer{EnableCompression: true}
	conn, _, err := d.Dial(s.live(query), nil)
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &audience{conn, s.t}
}

// watchSlowly is watch for a viewer that takes in little before it is read.
func (s *stage) watchSlowly() *audience {
	s.t.Helper()
	d := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	conn, _, err := d.Dial(s.live(""), nil)
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &audience{conn, s.t}
}

func (s *stage) live(query string) string {
	return "ws" + strings.TrimPrefix(s.URL(), "http") + "api/live" + query
}

// next is the next event but for counts of viewers.
func (a *audience) next() event {
	a.t.Helper()
	for {
		_ = a.SetReadDeadline(time.Now().Add(patience))
		_, data, err := a.ReadMessage()
		if err != nil {
			a.t.Fatalf("next event: %v", err)
		}
		if e := parse(a.t, data); e.Type != "viewers" {
			return e
		}
	}
}

// until reads up to a turn and returns all events.
func (a *audience) until(turn int) (list []event) {
	a.t.Helper()
	for {
		e := a.next()
		list = append(list, e)
		if e.Type == "turn" && e.Turn >= turn {
			return list
		}
	}
}

// closed reads until the connection is over and returns the closing code.
func (a *audience) closed() int {
	a.t.Helper()
	for {
		_ = a.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := a.ReadMessage(); err != nil {
			if c, ok := err.(*websocket.CloseError); ok {
				return c.Code
			}
			if os.IsTimeout(err) {
				a.t.Fatal("the connection stays open")
			}
			return 0
		}
	}
}

// replay holds events, the start first, against the match's states.
func (s *stage) replay(list []event) {
	s.t.Helper()
	var state []byte
	for k, e := range list {
		var err error
		switch {
		case e.State != nil:
			state = e.State
		default:
			state, err = feed.Apply(state, e.Delta)
		}
		if want := s.state(e.Turn); err != nil || k%16 == 0 && !sameJSON(state, []byte(want)) {
			s.t.Fatalf("state after turn %d = %s, %v, want %s", e.Turn, state, err, want)
		}
	}
}

// consecutive says where events, of these turns, have a gap or a duplicate.
func consecutive(list []event, first int) error {
	for i, e := range list {
		if kind := map[bool]string{true: "start", false: "turn"}[first+i == 0]; e.Type != kind || e.Turn != first+i {
			return fmt.Errorf("event %d is %s %d, want %s %d", i, e.Type, e.Turn, kind, first+i)
		}
	}
	return nil
}

// inOrder says where events, the start first, have a gap that no whole state
// bridges: on a machine with much to do, a viewer may be made to skip.
func inOrder(list []event) error {
	for i, e := range list[1:] {
		if before := list[i].Turn; e.Type != "turn" || e.Turn <= before || e.Turn > before+1 && e.State == nil {
			return fmt.Errorf("%s %d without a state follows turn %d", e.Type, e.Turn, before)
		}
	}
	return nil
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// get asks for a path of the server.
func (s *stage) get(path string) (int, string, http.Header) {
	s.t.Helper()
	return s.do("GET", path, nil)
}

func (s *stage) do(method, path string, header http.Header) (int, string, http.Header) {
	s.t.Helper()
	r, err := http.NewRequest(method, strings.TrimSuffix(s.URL(), "/")+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for name := range header {
		r.Header.Set(name, header.Get(name))
		if name == "Host" {
			r.Host = header.Get(name)
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(body), answer.Header
}

// games is a recording.Games that knows hexabomb.
func games(_ string, board []byte) (engine.Game, error) {
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, err
	}
	return hexabomb.New(m), nil
}

var _ recording.Games = games
