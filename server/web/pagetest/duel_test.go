//go:build browser

package pagetest

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/hive"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// salon is a server of hexagonal tic-tac-toe: its games are made on the page, or
// by a request.
type salon struct {
	t    *testing.T
	dir  string // of the recordings
	page *web.Server
	over chan string // files of games that are recorded to their end
}

// newSalon is a salon with the built-in bots.
func newSalon(t *testing.T) *salon {
	t.Helper()
	if absent != nil {
		t.Skip(absent)
	}
	s := &salon{t: t, dir: t.TempDir(), over: make(chan string, 8)}
	h := hive.New(hive.Options{
		Guests: true, Builtins: []string{"threat", "nearest", "random"}, Builtin: builtin, Reconnect: 2 * patience,
		Watch: s.watch, Log: zerolog.Nop(),
	})
	var err error
	s.page, err = web.Listen(web.Options{
		Address: "127.0.0.1:0", Recordings: web.NewFolder(s.dir, tictactoes), Version: "test",
		More: h.Handle, NewGames: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.Serve(ctx) })
	running.Go(func() {
		if err := s.page.Serve(ctx); err != nil {
			t.Errorf("the page: %v", err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return s
}

// watch records a game, and shows it on the page.
func (s *salon) watch(g hive.Beginning) []match.Watcher {
	setup, err := json.Marshal(g.Options)
	if err != nil {
		s.t.Error(err)
	}
	f := feed.New(feed.Options{ID: g.ID, Game: "hextictactoe", Rules: g.Game, Map: "hextictactoe", Seed: g.Seed, Settings: botapi.Settings()})
	r := recording.New(recording.Options{
		Dir: s.dir, Durable: recording.AtEnd, Program: "pagetest", Game: g.Game, Map: setup, MapName: "hextictactoe", Seed: g.Seed,
		Complain: func(err error) { s.t.Error(err) },
	})
	s.page.Show(web.Match{Feed: f})
	return []match.Watcher{f, r, &closing{recorder: r, over: s.over}}
}

// closing tells of a recording that has its end.
type closing struct {
	recorder *recording.Recorder
	over     chan string
}

func (c *closing) Joined(match.SeatInfo, match.Role) {}
func (c *closing) Left(match.SeatInfo, match.Role)   {}
func (c *closing) Started(*match.Frame)              {}
func (c *closing) Played(*match.Play)                {}
func (c *closing) Ended(*match.Ending)               { c.over <- filepath.Base(c.recorder.Path()) }

// recorded is the address of the recording of the next game that is over.
func (s *salon) recorded() string {
	s.t.Helper()
	select {
	case name := <-s.over:
		return s.page.URL() + "?recording=" + name
	case <-time.After(patience):
		s.t.Fatal("no game is over")
		return ""
	}
}

// tictactoes is a recording.Games that knows hexagonal tic-tac-toe.
func tictactoes(_ string, setup []byte) (engine.Game, error) {
	o, err := hextictactoe.ParseOptions(setup)
	return hextictactoe.New(o), err
}

// builtin returns a built-in bot, at its weakest, which thinks for a moment only.
func builtin(name string, seed uint64) (netorcai.Bot, error) {
	if name == "threat" {
		name = "threat:easy"
	}
	s, err := bots.New(name, seed)
	if err != nil {
		return nil, err
	}
	return bots.ForClient(s), nil
}

// begin asks for a game, as a program does.
func (s *salon) begin(body string) htttx.GameCreated {
	s.t.Helper()
	resp, err := http.Post(s.page.URL()+"game/new", "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var created htttx.GameCreated
	if err := json.NewDecoder(resp.Body).Decode(&created); err != nil || resp.StatusCode != http.StatusOK {
		s.t.Fatalf("POST /game/new: %d, %v", resp.StatusCode, err)
	}
	return created
}
