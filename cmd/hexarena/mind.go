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

// judgeNames are the built-in players that judge games: each at its strongest.
func judgeNames() (names []string) {
	for _, name := range mindNames() {
		if !strings.Contains(name, ":") {
			names = append(names, name)
		}
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
		q := questionOf(&m, rules, seed)
		ctx, cancel := q.WithLimit(ctx)
		defer cancel()
		return responseOf(bot.Move(ctx, q))
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

// usualThinking is the time that built-in players take themselves where they are not
// on a clock: long enough to be strong, short enough to be watched.
const usualThinking = 1200 * time.Millisecond

// setTime gives a question the nodes that its side's clock allows.
func setTime(q *bots.Question, limit time.Duration, c hextictactoe.Clock) {
	switch c.Kind {
	case hextictactoe.MatchClock, hextictactoe.Incremental:
		q.SetTime(bots.Clock{Left: limit, Increment: time.Duration(c.Increment) * time.Millisecond})
	case hextictactoe.TurnClock:
		q.SetTime(bots.Clock{Left: limit, PerMove: true})
	default:
		q.SetTime(bots.Clock{Left: min(limit, usualThinking), PerMove: true})
	}
}

func questionOf(m *htttx.MoveRequest, rules *hextictactoe.Options, seed uint64) bots.Question {
	pieces, err := htttx.ParseBoard(m.Board)
	if err != nil {
		panic(fmt.Sprintf("a board of ours that cannot be read: %v", err))
	}
	board := new(hextictactoe.Board)
	for _, p := range pieces {
		board.Place(hextictactoe.Piece{Coord: hextictactoe.Coord{Q: int(p.Q), R: int(p.R)}, Side: sideOf(p.Side)})
	}
	q := bots.Question{
		Board: board, ToMove: sideOf(m.Side), View: rules.ViewDistance, Win: rules.WinDistance, Seed: seed,
	}
	setTime(&q, m.Limit, rules.Clock)
	return q
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
	e := &htttx.Evaluation{Heuristic: new(o.Heuristic), CutOff: o.Cut}
	if o.WinIn != 0 {
		e.WinIn = new(int32(o.WinIn))
	}
	m := htttx.MoveOption{Evaluation: e}
	for _, c := range o.Pieces {
		m.Pieces = append(m.Pieces, htttx.Cell{Q: int32(c.Q), R: int32(c.R)})
	}
	return m
}
