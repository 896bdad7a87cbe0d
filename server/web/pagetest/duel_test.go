//go:build browser

package pagetest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/hivemaker"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// salon is a server for games of hexagonal tic-tac-toe that are started on the page or by a
// request.
type salon struct {
	t    *testing.T
	page *web.Server
	over chan string // files of finished recordings
}

// newSalon returns a salon with the built-in bots.
func newSalon(t *testing.T) *salon {
	t.Helper()
	return newSalonWith(t, 2*patience)
}

// newSalonWith returns a salon in which people may reconnect for that time.
func newSalonWith(t *testing.T, reconnect time.Duration) *salon {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	s := &salon{t: t, over: make(chan string, 8)}
	var rooms *host.Host
	var running sync.WaitGroup
	h := hivemaker.New(hivemaker.Options{
		AnyoneMayRequest: true, Builtins: []string{"threat", "nearest", "random"}, Builtin: builtin,
		Reconnect: reconnect, Log: zerolog.Nop(),
		Start: func(ctx context.Context, spec host.Spec) (*host.Room, error) {
			room, err := rooms.Start(ctx, spec)
			if err == nil {
				running.Go(func() { s.over <- filepath.Base(room.Wait().Recording) })
			}
			return room, err
		},
	})
	dir := t.TempDir()
	rooms, err := host.Open(host.Options{
		NoPort: true, Program: "pagetest",
		Recordings: &host.Recordings{
			Dir: dir, Durable: recording.AtEnd, Complain: func(err error) { t.Error(err) },
		},
		Page: &host.Page{Options: web.Options{
			Address: "127.0.0.1:0", Hosts: []string{chromium.Elsewhere},
			Recordings: web.NewFolder(dir, tictactoes), Version: "test",
			More: h.Handle, NewGames: true, Judges: []string{"threat"}, Analyse: judging,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.page = rooms.Page()
	t.Cleanup(func() {
		h.Close()
		running.Wait()
		rooms.Shutdown(context.Background())
	})
	return s
}

// judging is a web.Analyse that thinks until the viewer has enough.
func judging(ctx context.Context, _ string, _ web.AnalysisOptions, _ io.Writer) error {
	<-ctx.Done()
	return ctx.Err()
}

// recorded waits for the next game to end and returns the address of its recording.
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

// builtin returns a built-in bot at its weakest level, which thinks only briefly.
func builtin(name string, seed uint64) (netorcai.Bot, error) {
	if name == "threat" {
		name = "threat:easy"
	}
	s, err := bots.NewTicTacToe(name, seed)
	if err != nil {
		return nil, err
	}
	return bots.ForClient(s), nil
}

// begin requests a game, as a program does.
func (s *salon) begin(body string) htttx.GameCreated {
	s.t.Helper()
	resp, err := http.Post(s.page.URL()+"game/new", "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var created htttx.GameCreated
	if err := json.NewDecoder(resp.Body).Decode(&created); err != nil ||
		resp.StatusCode != http.StatusOK {
		s.t.Fatalf("POST /game/new: %d, %v", resp.StatusCode, err)
	}
	return created
}
