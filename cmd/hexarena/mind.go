package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// mindNames are the built-in players of hexagonal tic-tac-toe.
func mindNames() (names []string) {
	for _, d := range bots.Describe() {
		names = append(names, d.Name)
	}
	return names
}

// newMind is a built-in player under rules.
func newMind(name string, rules *hextictactoe.Options, seed uint64) (botapi.Mind, error) {
	bot, ok := bots.New(name)
	if !ok {
		return nil, fmt.Errorf("no built-in bot of hexagonal tic-tac-toe has this name; they are %s", strings.Join(mindNames(), ", "))
	}
	return func(ctx context.Context, m htttx.MoveRequest) htttx.MoveResponse {
		ctx, cancel := context.WithTimeout(ctx, thinkTime(m.Limit))
		defer cancel()
		return responseOf(bot.Move(ctx, questionOf(&m, rules, seed)))
	}, nil
}

// builtInMind is a built-in player whose name is known to be one.
func builtInMind(name string, rules hextictactoe.Options, seed uint64) botapi.Mind {
	mind, err := newMind(name, &rules, seed)
	if err != nil {
		panic(err) // the name was checked
	}
	return mind
}

// Built-in players think for a part of the time that they have left, and for no
// longer than anybody wants to watch.
const (
	limitShare   = 20
	mostThinking = 2 * time.Second
)

func thinkTime(limit time.Duration) time.Duration { return min(limit/limitShare, mostThinking) }

func questionOf(m *htttx.MoveRequest, rules *hextictactoe.Options, seed uint64) bots.Question {
	pieces, err := htttx.ParseBoard(m.Board)
	if err != nil {
		panic(fmt.Sprintf("a board of ours that cannot be read: %v", err))
	}
	board := new(hextictactoe.Board)
	for _, p := range pieces {
		board.Place(hextictactoe.Piece{Coord: hextictactoe.Coord{Q: int(p.Q), R: int(p.R)}, Side: sideOf(p.Side)})
	}
	return bots.Question{
		Board: board, ToMove: sideOf(m.Side), View: rules.ViewDistance, Win: rules.WinDistance, Seed: seed,
	}
}

func sideOf(s htttx.Side) hextictactoe.Side {
	side, _ := hextictactoe.ParseSide(s.String())
	return side
}

func responseOf(a bots.Answer) htttx.MoveResponse {
	r := htttx.MoveResponse{Move: optionOf(&a.Option)}
	for i := range a.Considered {
		r.Considerations = append(r.Considerations, optionOf(&a.Considered[i]))
	}
	return r
}

func optionOf(o *bots.Option) htttx.MoveOption {
	e := &htttx.Evaluation{Heuristic: new(o.Heuristic)}
	if o.WinIn != 0 {
		e.WinIn = new(int32(o.WinIn))
	}
	m := htttx.MoveOption{Evaluation: e}
	for _, c := range o.Pieces {
		m.Pieces = append(m.Pieces, htttx.Cell{Q: int32(c.Q), R: int32(c.R)})
	}
	return m
}
