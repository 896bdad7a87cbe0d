package seating_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// failingBot is a built-in bot that does not answer: it sleeps until it is interrupted,
// or panics.
type failingBot struct {
	netorcai.Bot
	panics bool
	over   chan struct{}
	once   sync.Once
}

func (f *failingBot) Start(netorcai.GameStarts) error { return nil }
func (f *failingBot) End(netorcai.GameEnds)           {}
func (f *failingBot) Interrupt()                      { f.once.Do(func() { close(f.over) }) }

func (f *failingBot) Turn(netorcai.Turn) ([]byte, error) {
	if f.panics {
		panic("oh")
	}
	<-f.over
	return nil, nil
}

// builtins returns the seats of built-in bots.
func builtins(names ...string) (seats []seat.Spec) {
	for _, name := range names {
		seats = append(seats, seat.Spec{Label: name, Builtin: name})
	}
	return seats
}

// A built-in bot that thinks for too long, or fails, forfeits its game.
func TestForfeits(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct {
		x, o   string
		reason string
		winner string
	}{
		{"nearest", "asleep", "forfeit: out of time", "nearest"},
		{"asleep", "nearest", "forfeit: out of time", "nearest"},
		{"broken", "nearest", "forfeit: left", "nearest"},
	} {
		o := board(t, builtins(tt.x, tt.o)...)
		o.Builtin = func(name string, seed uint64) (netorcai.Bot, error) {
			if name == "nearest" {
				return newPlacer(name, seed)
			}
			return &failingBot{panics: name == "broken", over: make(chan struct{})}, nil
		}
		o.Pace = match.PaceSpec{Budget: &match.Budget{Time: 300 * time.Millisecond}}.Pace
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		r := a.Play(t.Context())
		if r.Err != nil || r.Reason != tt.reason || r.Winner != tt.winner {
			t.Errorf("%s against %s: %q, won by %q, %v; want %q, %q", tt.x, tt.o, r.Reason, r.Winner, r.Err,
				tt.reason, tt.winner)
		}
	}
}

// Only a bot that declares free_setup plays from an opening.
func TestOpeningsNeedFreeSetup(t *testing.T) {
	stateless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"stateless":{"versions":{"v1-alpha":{}}}}`)
	}))
	defer stateless.Close()
	socket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".json") {
			fmt.Fprint(w, `{"basic_websocket":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		up := websocket.Upgrader{}
		if c, err := up.Upgrade(w, r, nil); err == nil {
			_, _, _ = c.ReadMessage()
			_ = c.Close()
		}
	}))
	defer socket.Close()
	for url, want := range map[string]string{
		stateless.URL: "", socket.URL: "does not declare free_setup",
	} {
		o := board(t,
			append(builtins("nearest"), seat.Spec{Kind: seat.Address, Label: "dialled", URL: url})...)
		rules := hextictactoe.Defaults()
		rules.Setup = &hextictactoe.Position{
			ToMove: hextictactoe.O, Pieces: []hextictactoe.Piece{{Side: hextictactoe.X}},
		}
		o.Game = instance(hextictactoe.New(rules))
		o.Game.Opening = true
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		r := a.Play(t.Context())
		dialled := &r.Seats[1]
		if (r.Err != nil) != (want != "") || r.Err != nil && !strings.Contains(dialled.Error, want) ||
			want == "" && r.Winner != "nearest" {
			t.Errorf("a bot at %s: %v, %q, won by %q; want %q", url, r.Err, dialled.Error, r.Winner, want)
		}
	}
}

// A thousand concurrent games between built-in bots are played to their end, leave no
// goroutine, and have valid recordings.
func TestAThousandGames(t *testing.T) {
	thorough.Long(t)
	games := thorough.Size(20, 1000)
	dir := t.TempDir()
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for n := range numbers {
				if err := playRecorded(t, dir, n); err != nil {
					t.Errorf("game %d: %v", n, err)
				}
			}
		})
	}
	for n := range games {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != games {
		t.Errorf("%d recordings, %v; want %d", len(files), err, games)
	}
}

// opening returns one of 16 positions after two moves: o is to move.
func opening(n int) *hextictactoe.Position {
	o, x := 1+n%4, 1+n/4%4
	p := &hextictactoe.Position{
		ToMove: hextictactoe.O, Pieces: []hextictactoe.Piece{{Side: hextictactoe.X}},
	}
	for _, at := range []hextictactoe.Coord{{Q: o}, {R: o}} {
		p.Pieces = append(p.Pieces, hextictactoe.Piece{Coord: at, Side: hextictactoe.O})
	}
	for _, at := range []hextictactoe.Coord{{Q: -x}, {R: -x}} {
		p.Pieces = append(p.Pieces, hextictactoe.Piece{Coord: at, Side: hextictactoe.X})
	}
	return p
}

// playRecorded plays a game and verifies its recording.
func playRecorded(t *testing.T, dir string, n int) error {
	names := []string{"threat:easy", "nearest", "random"}
	rules := hextictactoe.Defaults()
	rules.TurnLimit, rules.Setup = 30, opening(n)
	game := hextictactoe.New(rules)
	setup, err := json.Marshal(rules)
	if err != nil {
		return err
	}
	rec := recording.New(recording.Options{
		Dir: dir, Durable: recording.AtEnd, Program: "test", Rules: game, Map: setup, Seed: uint64(n),
		Complain: func(error) {},
	})
	o := board(t, builtins(names[n%3], names[n/3%3])...)
	o.Game, o.InProcess, o.Turns, o.Seed, o.Watchers = instance(game), true, rules.TurnLimit+1, uint64(n), []match.Watcher{rec}
	seat.SetLabels(o.Seats)
	a, err := New(o)
	if err != nil {
		return err
	}
	r := a.Play(t.Context())
	switch {
	case r.Err != nil:
		return r.Err
	case r.Reason != "win: a row complete" && r.Reason != "draw: turn limit":
		return fmt.Errorf("ended by %q", r.Reason)
	}
	return verifyRecording(t.Context(), rec)
}

func verifyRecording(ctx context.Context, of *recording.Recorder) error {
	if of.Err() != nil {
		return of.Err()
	}
	r, err := recording.Open(of.Path())
	if err != nil {
		return err
	}
	defer r.Close()
	v, err := recording.Verify(ctx, r, func(_ string, setup []byte) (engine.Game, error) {
		o, err := hextictactoe.ParseOptions(setup)
		return hextictactoe.New(o), err
	}, nil)
	if err == nil && v.Cut {
		err = fmt.Errorf("%s was cut", of.Path())
	}
	return err
}
