//go:build browser

package pagetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	bombgame "github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// interval is the time between turns that the page shows.
const interval = 50 * time.Millisecond

// show is a match between built-in bots over TCP, and its page. The test decides when the
// match goes on.
type show struct {
	t        *testing.T
	board    *hexabomb.Map
	server   *host.Host
	room     *host.Room
	feed     *feed.Feed
	folder   string // folder of the recordings
	recorder *recording.Recorder
	page     *web.Server
	gate     *gate
	started  started
	ctx      context.Context
	running  sync.WaitGroup
}

// seats are the nicknames of the bots in a match: a strategy, with a digit if it plays more
// than once.
var seats = []string{"hunter", "painter", "random", "painter2"}

// newShow returns a match with four free seats.
func newShow(t *testing.T, mapName string, turns int) *show {
	t.Helper()
	return newShowIn(t, t.TempDir(), mapName, turns)
}

// newShowIn is newShow with the folder for recordings. Matches that one page shows share it, as on
// a server, since otherwise two that start in the same second have recordings of the same name.
func newShowIn(t *testing.T, folder, mapName string, turns int) *show {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	board, err := maps.Load(mapName)
	if err != nil {
		t.Fatal(err)
	}
	game := hexabomb.New(board)
	s := &show{t: t, board: board, gate: newGate()}
	settings := match.Settings{Players: len(seats), Turns: turns}
	const seed = 12
	s.feed = feed.New(feed.Options{
		Game: "hexabomb", Rules: game, Map: mapName, Seed: seed, Settings: settings, Autostart: true,
		Interval: func(match.Settings) time.Duration { return interval },
		Describe: s.started.describe, Printed: &s.started.printed,
		Recording: func() string { return s.recorder.Name() },
	})
	s.folder = folder
	s.recorder = recording.New(recording.Options{
		Dir: s.folder, Durable: recording.AtEnd, Program: "pagetest", Rules: game,
		Map: board.AppendJSON(nil), MapName: mapName, Seed: seed,
		Complain: func(err error) { t.Error(err) },
		Describe: s.started.describe, Printed: &s.started.printed,
	})
	s.server, err = host.Open(host.Options{
		Bind: "127.0.0.1", LoginTimeout: patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	var stop context.CancelFunc
	s.ctx, stop = context.WithCancel(context.Background())
	s.room, err = s.server.Start(s.ctx, host.Spec{
		Game:     games.Instance{New: func() engine.Game { return game }},
		Settings: settings, Autostart: true, Order: match.Seeded, Seed: seed,
		Pace:     match.PaceSpec{}.Pace,
		Watchers: []match.Watcher{s.recorder, s.feed, s.gate}, // the feed tells the name of the recording
	})
	if err != nil {
		t.Fatal(err)
	}
	s.feed.SetAddresses(web.Reachable(s.server.Addr()))
	s.page, err = web.Listen(web.Options{
		Address: "127.0.0.1:0", Hosts: []string{chromium.Elsewhere},
		Recordings: web.NewFolder(s.folder, replays),
		Draw:       export.Drawing(s.folder, games.List{bombgame.Game()}), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.page.Show(s.webMatch())
	s.running.Go(func() {
		s.room.Wait()
		s.server.Shutdown(s.ctx)
	})
	s.running.Go(func() {
		if err := s.page.Serve(s.ctx); err != nil {
			t.Errorf("the page: %v", err)
		}
	})
	t.Cleanup(func() {
		stop()
		s.run()
		s.running.Wait()
	})
	return s
}

// webMatch returns the match for the page.
func (s *show) webMatch() web.Match {
	m := s.room.Match()
	return web.Match{
		Feed: s.feed, Map: s.board.AppendJSON(nil), Start: m.Start, Players: s.server.Players(),
		ForPage: true, Held: m.Held,
	}
}

// replays is a recording.Games that knows hexabomb.
func replays(_ string, board []byte) (engine.Game, error) {
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, err
	}
	return hexabomb.New(m), nil
}

// join connects bots to the match. The match starts when all seats are taken.
func (s *show) join(names ...string) {
	s.t.Helper()
	for i, name := range names {
		strategy, err := bots.New(strings.TrimRight(name, "23"), uint64(i))
		if err != nil {
			s.t.Fatal(err)
		}
		c, err := netorcai.Dial(s.ctx, s.server.Addr().String(), netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
		if err != nil {
			s.t.Fatalf("%s joins: %v", name, err)
		}
		s.running.Go(func() {
			defer c.Close()
			_ = c.Play(s.ctx, bots.ForClient(strategy)) // ends with the match or the test
		})
	}
}

// play plays n turns.
func (s *show) play(n int) {
	s.t.Helper()
	for range n {
		select {
		case s.gate.allow <- struct{}{}:
		case <-time.After(patience):
			s.t.Fatal("the match does not go on")
		}
		select {
		case <-s.gate.played:
		case <-time.After(patience):
			s.t.Fatal("no turn is played")
		}
	}
}

// run plays the rest of the match without the test.
func (s *show) run() { s.gate.openOnce() }

// finish plays the match to its end.
func (s *show) finish() {
	s.t.Helper()
	s.run()
	select {
	case <-s.gate.ended:
	case <-time.After(patience):
		s.t.Fatal("the match does not end")
	}
}

// recordingURL returns the page's address of the recording of a finished match.
func (s *show) recordingURL(fragment string) string {
	return s.page.URL() + "?recording=" + filepath.Base(s.recorder.Path()) + fragment
}

// ranking returns the rows of the ranking after a turn: names and scores in order.
func (s *show) ranking(turn int) string {
	s.t.Helper()
	var start struct {
		Seats []struct{ Nickname string }
	}
	var state struct {
		Score     map[int]int
		CellCount map[int]int `json:"cell_count"`
	}
	data, err := s.feed.State(turn)
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err == nil {
		err = json.Unmarshal(s.feed.Summary(), &start)
	}
	if err != nil || len(start.Seats) != len(seats) {
		s.t.Fatalf("turn %d: %v, seats %v", turn, err, start.Seats)
	}
	ids := []int{0, 1, 2, 3}
	slices.SortStableFunc(ids, func(a, b int) int {
		return cmp.Or(state.Score[b]-state.Score[a], state.CellCount[b]-state.CellCount[a])
	})
	var rows []string
	for _, id := range ids {
		rows = append(rows, fmt.Sprintf("%s %d", start.Seats[id].Nickname, state.Score[id]))
	}
	return strings.Join(rows, ", ")
}

// gate is a watcher that blocks a match after its start and after each turn until the test
// lets it go on.
type gate struct {
	match.BaseWatcher
	allow    chan struct{} // one turn
	played   chan struct{} // a turn was played
	open     chan struct{} // closed when the match is no longer blocked
	ended    chan struct{}
	openOnce func()
}

func newGate() *gate {
	g := &gate{
		allow: make(chan struct{}), played: make(chan struct{}), open: make(chan struct{}),
		ended: make(chan struct{}),
	}
	g.openOnce = sync.OnceFunc(func() { close(g.open) })
	return g
}

func (g *gate) Started(*match.Frame) { g.wait() }
func (g *gate) Ended(*match.Ending)  { close(g.ended) }

func (g *gate) Played(*match.Play) {
	select {
	case g.played <- struct{}{}:
	case <-g.open:
	}
	g.wait()
}

func (g *gate) wait() {
	select {
	case <-g.allow:
	case <-g.open:
	}
}
