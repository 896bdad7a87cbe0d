package duel

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/internal/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// mindOf is a built-in bot that hardly thinks.
func mindOf(name string, seed uint64) botapi.Mind {
	bot, _ := bots.New(name)
	return func(ctx context.Context, m htttx.MoveRequest) htttx.MoveResponse {
		board := new(hextictactoe.Board)
		pieces, _ := htttx.ParseBoard(m.Board)
		for _, p := range pieces {
			side, _ := hextictactoe.ParseSide(p.Side.String())
			board.Place(hextictactoe.Piece{Coord: hextictactoe.Coord{Q: int(p.Q), R: int(p.R)}, Side: side})
		}
		side, _ := hextictactoe.ParseSide(m.Side.String())
		a := bot.Move(ctx, bots.Question{Board: board, ToMove: side, View: 8, Win: 6, Seed: seed, Nodes: 1})
		r := htttx.MoveResponse{Move: htttx.MoveOption{Evaluation: &htttx.Evaluation{Heuristic: new(a.Heuristic)}}}
		for _, c := range a.Pieces {
			r.Move.Pieces = append(r.Move.Pieces, htttx.Cell{Q: int32(c.Q), R: int32(c.R)})
		}
		return r
	}
}

// A thousand games between built-in bots, many at a time, come to an end, leave
// nothing behind, and every recording of them verifies.
func TestAThousandGames(t *testing.T) {
	games := 1000
	if !thorough.Enabled {
		games = 50
	}
	dir := t.TempDir()
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for n := range numbers {
				if err := recorded(t.Context(), dir, n); err != nil {
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

var names = []string{"threat", "nearest", "random"}

// recorded plays a game, and verifies its recording.
func recorded(ctx context.Context, dir string, n int) error {
	seed := uint64(n)
	x, o := names[n%3], names[n/3%3]
	seats := [2]seat.Spec{{Label: x, Builtin: x}, {Label: o, Builtin: o}}
	p, err := Start(ctx, seats, Options{Patience: time.Minute, Mind: func(name string) (botapi.Mind, error) { return mindOf(name, seed), nil }, Log: zerolog.Nop()})
	if err != nil {
		return err
	}
	defer p.Close()
	rules := hextictactoe.Defaults()
	rules.TurnLimit, rules.Setup = 30, bots.Opening(seed)
	var r *recording.Recorder
	e, err := p.Play(ctx, Game{Instance: instance(rules, time.Minute), Seed: seed, Watchers: func(g engine.Game) []match.Watcher {
		setup, _ := json.Marshal(rules)
		r = recording.New(recording.Options{Dir: dir, Durable: recording.AtEnd, Program: "test", Game: g, Map: setup, Seed: seed, Complain: func(error) {}})
		return []match.Watcher{r}
	}})
	if err != nil {
		return err
	}
	if e.Reason != "win: a row complete" && e.Reason != "draw: turn limit" {
		return fmt.Errorf("ended by %q: %+v", e.Reason, e.Seats)
	}
	return verified(ctx, r)
}

func verified(ctx context.Context, of *recording.Recorder) error {
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
