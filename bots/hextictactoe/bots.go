// Package hextictactoe holds the built-in players of hexagonal tic-tac-toe.
//
// A [Bot] is a pure function of a [Question]: the same board, side and seed give
// the same answer, unless the context cuts the thinking short, which it may at
// any time. It starts no goroutine and looks at no clock.
package hextictactoe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Question is what a bot is asked. Nobody has won on the board.
type Question struct {
	Board  *rules.Board // is only read
	ToMove rules.Side
	View   int // how far from others a piece may be placed
	Win    int // how many in a row win
	Seed   uint64
	Depth  int // of the search, from 1 to Deepest; 0: the default
}

// Depths of the search. Each one deeper takes about four times as long.
const (
	Quick   = 1 // a fraction of a millisecond a move
	Default = 3
	Deepest = 6
)

// Answer is a move and what the bot thinks of it.
type Answer struct {
	Option
	// Considered are the moves that the bot thought of, the best first.
	Considered []Option
}

// Option is a move and what it leads to. Of a move that wins with its first
// piece, there is only that one.
type Option struct {
	Pieces []rules.Coord
	Evaluation
}

// Evaluation says who is better.
type Evaluation struct {
	Heuristic float64 // from -1 to 1; above 0 is good for x
	WinIn     int     // moves of the side that wins, below 0 if it is o; 0: not known
}

// Bot plays one side, or both.
type Bot interface {
	// Move answers a question. When ctx ends it comes to an end at once, with the
	// best move so far: a win in one move is never missed, nor the block of one.
	Move(ctx context.Context, q Question) Answer
	// Judge says who is better, without a move.
	Judge(ctx context.Context, q Question) Evaluation
}

// Description is what a user chooses a bot by.
type Description struct {
	Name    string
	Summary string // one line
}

var list = []struct {
	Description
	bot Bot
}{
	{Description{"threat", "searches for threats that cannot all be blocked, its own and yours"}, threat{}},
	{Description{"nearest", "places its pieces as close to the origin as it can"}, nearest{}},
	{Description{"random", "places its pieces anywhere close to others"}, random{}},
}

// Describe describes the bots, the strongest first.
func Describe() []Description {
	var all []Description
	for _, b := range list {
		all = append(all, b.Description)
	}
	return all
}

// New is the bot of that name; ok is false if there is none.
func New(name string) (b Bot, ok bool) {
	for _, b := range list {
		if b.Name == name {
			return b.bot, true
		}
	}
	return nil, false
}

// judged is an evaluation for whoever is to move, turned to x's side of things:
// a score, and the moves to a win or, below 0, to a loss.
func (q *Question) judged(score float64, winIn int) Evaluation {
	e := Evaluation{Heuristic: math.Round(1000*math.Tanh(score/fullScore)) / 1000, WinIn: winIn}
	switch {
	case winIn > 0:
		e.Heuristic = 1
	case winIn < 0:
		e.Heuristic = -1
	}
	if q.ToMove == rules.O {
		e.Heuristic, e.WinIn = -e.Heuristic, -e.WinIn
	}
	return e
}

// lots are the bot's lots for one question.
func (q *Question) lots() *rand.Rand {
	return rand.New(rand.NewPCG(q.Seed, uint64(len(q.Board.Pieces()))))
}

func (q *Question) String() string {
	return fmt.Sprintf("%s to move after %d pieces", q.ToMove, len(q.Board.Pieces()))
}
