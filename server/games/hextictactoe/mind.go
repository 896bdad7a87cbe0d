package hextictactoe

import (
	"context"
	"fmt"
	"strings"
	"time"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// builtinNames returns the names of the built-in players of hexagonal tic-tac-toe.
func builtinNames() (names []string) {
	for _, d := range bots.Describe() {
		names = append(names, d.Name)
	}
	return names
}

// judgeNames returns the built-in players that judge games: each at its strongest.
func judgeNames() (names []string) {
	for _, name := range builtinNames() {
		if !strings.Contains(name, ":") {
			names = append(names, name)
		}
	}
	return names
}

// NewMind returns a built-in player for the game that a setup stands for.
func NewMind(name string, setup []byte, seed uint64) (botapi.Mind, error) {
	bot, ok := bots.New(name)
	if !ok {
		return nil, fmt.Errorf("no built-in bot of hexagonal tic-tac-toe has this name; they are %s", strings.Join(builtinNames(), ", "))
	}
	o, err := rules.ParseOptions(setup)
	return thinking(bot, &o, seed), err
}

func thinking(bot bots.Bot, o *rules.Options, seed uint64) botapi.Mind {
	return func(ctx context.Context, m htttx.MoveRequest) htttx.MoveResponse {
		q := questionOf(&m, o, seed)
		ctx, cancel := q.WithLimit(ctx)
		defer cancel()
		return responseOf(bot.Move(ctx, q))
	}
}

// Mind returns a built-in player whose name is known to be one.
func Mind(name string, o rules.Options, seed uint64) botapi.Mind {
	bot, ok := bots.New(name)
	if !ok {
		panic("there is no bot called " + name) // the name was checked
	}
	return thinking(bot, &o, seed)
}

// usualThinking is the time that built-in players take themselves where they are not
// on a clock: long enough to be strong, short enough to be watched.
const usualThinking = 1200 * time.Millisecond

// setTime gives a question the nodes that its side's clock allows.
func setTime(q *bots.Question, limit time.Duration, c rules.Clock) {
	switch c.Kind {
	case rules.MatchClock, rules.Incremental:
		q.SetTime(bots.Clock{Left: limit, Increment: time.Duration(c.Increment) * time.Millisecond})
	case rules.TurnClock:
		q.SetTime(bots.Clock{Left: limit, PerMove: true})
	default:
		q.SetTime(bots.Clock{Left: min(limit, usualThinking), PerMove: true})
	}
}

func questionOf(m *htttx.MoveRequest, o *rules.Options, seed uint64) bots.Question {
	pieces, err := htttx.ParseBoard(m.Board)
	if err != nil {
		panic(fmt.Sprintf("a board of ours that cannot be read: %v", err))
	}
	board := new(rules.Board)
	for _, p := range pieces {
		board.Place(rules.Piece{Coord: rules.Coord{Q: int(p.Q), R: int(p.R)}, Side: sideOf(p.Side)})
	}
	q := bots.Question{
		Board: board, ToMove: sideOf(m.Side), View: o.ViewDistance, Win: o.WinDistance, Seed: seed,
	}
	setTime(&q, m.Limit, o.Clock)
	return q
}

func sideOf(s htttx.Side) rules.Side {
	side, _ := rules.ParseSide(s.String())
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
