package web_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// patience is the time that a test waits before it fails.
const patience = 30 * time.Second

// stage is a match that a test plays turn by turn, and the server that shows it.
type stage struct {
	*web.Server
	t      testing.TB
	feed   *feed.Feed
	match  *match.Match
	bots   []*bot
	played chan struct{} // a turn was played
	ended  chan struct{} // the match is over, and all watchers were told
	turns  int           // number of turns played
	stop   func()        // stops the match and the server

	mu     sync.Mutex
	states []string // after each turn, beginning with the initial state
}

// newStage returns a match of two players that has not started, on a page. Its viewers may
// be slow, as on a busy machine.
func newStage(t testing.TB, change ...func(*web.Options, *web.Match, *match.Options)) *stage {
	t.Helper()
	return newStageFor(t, time.Minute, change...)
}

// newStageFor is newStage with a limit on the viewers' lag.
func newStageFor(
	t testing.TB, maxLag time.Duration, change ...func(*web.Options, *web.Match, *match.Options),
) *stage {
	t.Helper()
	board, err := maps.Load(maps.Default)
	if err != nil {
		t.Fatal(err)
	}
	game := hexabomb.New(board)
	s := &stage{t: t, played: make(chan struct{}, 1), ended: make(chan struct{})}
	settings := match.Settings{Players: 2, Turns: 60_000}
	var mo match.Options
	recorded := func() string {
		for _, w := range mo.Watchers {
			if r, ok := w.(*recording.Recorder); ok {
				return r.Name()
			}
		}
		return ""
	}
	s.feed = feed.New(
		feed.Options{
			Game: "hexabomb", Rules: game, Map: maps.Default, Settings: settings, MaxLag: maxLag,
			Recording: recorded,
		},
	)
	mo = match.Options{
		Settings: settings, Referee: match.Local(game),
		Watchers: []match.Watcher{s.feed, stateWatcher{stage: s}},
		Pace:     match.PaceSpec{}.Pace,
	}
	wo := web.Options{
		Address: "127.0.0.1:0", Version: "test",
		Starter:   func(string, string) []byte { return []byte(`print("hello")`) },
		Languages: func(game string) any { return []string{game} },
	}
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

// stopped calls stop, and returns a channel that is closed when it has returned.
func (s *stage) stopped() <-chan struct{} {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.stop()
	}()
	return stopped
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
	wait(s.t, s.played) // the state before the first answers
	s.turns = 1
}

// play plays n turns.
func (s *stage) play(n int) {
	s.t.Helper()
	for range n {
		for _, b := range s.bots {
			b.place.Answer(s.turns-1, []byte(servertest.Antics(b.rng, 10)), nil, time.Millisecond)
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

// stateWatcher keeps the states of a match.
type stateWatcher struct {
	match.BaseWatcher
	*stage
}

func (n stateWatcher) Started(f *match.Frame) { n.note(f) }
func (n stateWatcher) Played(p *match.Play) {
	n.note(p.Frame)
	n.played <- struct{}{}
}

func (n stateWatcher) note(f *match.Frame) {
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

// get requests a path of the server.
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
