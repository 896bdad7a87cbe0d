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
	"time"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Question is what a bot is asked. Nobody has won on the board.
type Question struct {
	Board  *rules.Board // is only read
	ToMove rules.Side
	View   int // how far from others a piece may be placed
	Win    int // how many in a row win
	Seed   uint64
	Nodes  int           // positions that may be tried, as far as the bot's level allows; 0: usual
	Depth  int           // moves that the search looks ahead at the most, from 1 to Deepest; 0: as many as it can
	Limit  time.Duration // when Within ends the thinking, whatever the nodes; 0: never
}

// Deepest is how far the search looks ahead at the most, in moves of both sides.
const Deepest = 32

// Answer is a move and what the bot thinks of it.
type Answer struct {
	Option
	// Considered are the moves that the bot thought of, the best first.
	Considered []Option
}

// Option is a move of two pieces and an evaluation of the position after it.
type Option struct {
	Pieces []rules.Coord
	Evaluation
}

// Evaluation says who is better in a position.
type Evaluation struct {
	Heuristic float64 // from -1 to 1; above 0 is good for x
	WinIn     int     // moves of both sides until the win, counted from the position; below 0 if o wins; 0: not known, or won already
	Cut       bool    // the context ended before the nodes were used up: the same question may be answered otherwise
}

// Bot plays one side, or both.
type Bot interface {
	// Move answers a question with two pieces. When ctx ends it returns at once, with the
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
	{Description{"threat", "searches for threats that cannot all be blocked, its own and yours, as deep as its time allows"}, threat{hard}},
	{Description{"threat:medium", "the same, two moves deep"}, threat{medium}},
	{Description{"threat:easy", "the same, one move deep"}, threat{easy}},
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

// judged returns the evaluation of the position in question, from its value for the
// side to move.
func (q *Question) judged(value int32) Evaluation {
	e := Evaluation{Heuristic: math.Round(1000*math.Tanh(float64(value)/fullScore)) / 1000}
	switch {
	case value >= certain:
		e.Heuristic, e.WinIn = 1, int(won-value)
	case value <= -certain:
		e.Heuristic, e.WinIn = -1, -int(won+value)
	}
	if q.ToMove == rules.O {
		e.Heuristic, e.WinIn = 0-e.Heuristic, -e.WinIn // without a negative zero
	}
	return e
}

// after returns the evaluation of the position after a move of that value: it is one
// move nearer to the win.
func (q *Question) after(value int32) Evaluation {
	switch {
	case value >= certain:
		value++
	case value <= -certain:
		value--
	}
	return q.judged(value)
}

// lots are the bot's lots for one question.
func (q *Question) lots() *rand.Rand {
	return rand.New(rand.NewPCG(q.Seed, uint64(len(q.Board.Pieces()))))
}

func (q *Question) String() string {
	return fmt.Sprintf("%s to move after %d pieces", q.ToMove, len(q.Board.Pieces()))
}
