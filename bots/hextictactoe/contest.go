package hextictactoe

import (
	"context"
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Contest is a game between two bots, for tests and for learning.
type Contest struct {
	Options rules.Options
	Bots    [2]Bot // x and o
	Depth   [2]int // 0: no limit
	Nodes   [2]int // 0: the default
	Seed    uint64
	Turns   int // moves until a draw
}

// Outcome is the result of a contest.
type Outcome struct {
	Winner rules.Side // None for a draw
	Reason string
	Moves  []rules.Move
	Board  *rules.Board
}

// Play plays the game. It returns an error if the options are invalid, or the cause of
// the context's end.
func (c *Contest) Play(ctx context.Context) (Outcome, error) {
	g := rules.New(c.Options)
	result, err := g.Start(engine.Setup{Players: 2, Turns: c.Turns})
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Board: g.Board()}
	for !result.Over {
		side := g.ToMove()
		q := Question{
			Board: g.Board(), ToMove: side, View: c.Options.ViewDistance, Win: c.Options.WinDistance,
			Seed: c.Seed, Depth: c.Depth[side-rules.X], Nodes: c.Nodes[side-rules.X],
		}
		answer := c.Bots[side-rules.X].Move(ctx, q)
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		move := rules.Move{Side: side, Placed: copy(make([]rules.Coord, 2), answer.Pieces)}
		copy(move.Pieces[:], answer.Pieces)
		out.Moves = append(out.Moves, move)
		result = g.Step([]engine.Input{{Player: side.Player(), Actions: answer.AppendActions(nil)}})
	}
	out.Reason = result.Reason
	switch result.Winner {
	case rules.X.Player():
		out.Winner = rules.X
	case rules.O.Player():
		out.Winner = rules.O
	}
	return out, nil
}

// Opening returns a position after two random moves: x has three pieces, o two, and o is to
// move.
func Opening(seed uint64) *rules.Position {
	random := rand.New(rand.NewPCG(seed, 0x6f70656e))
	p := &rules.Position{ToMove: rules.O, Pieces: []rules.Piece{{Side: rules.X}}}
	for len(p.Pieces) < 5 {
		c := rules.Coord{Q: random.IntN(9) - 4, R: random.IntN(9) - 4}
		side := rules.O
		if len(p.Pieces) >= 3 {
			side = rules.X
		}
		taken := false
		for _, other := range p.Pieces {
			taken = taken || other.Coord == c
		}
		if !taken {
			p.Pieces = append(p.Pieces, rules.Piece{Coord: c, Side: side})
		}
	}
	return p
}
