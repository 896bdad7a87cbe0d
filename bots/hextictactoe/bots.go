// Package hextictactoe holds the built-in players of hexagonal tic-tac-toe.
//
// A [Bot] is a pure function of a [Question]: the same board, side and seed give the same answer,
// unless the end of the context, which may come at any time, cuts the search short, or a [Timer]
// ends it. A bot starts no goroutine and reads no other clock.
package hextictactoe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Question is what a bot is asked. Neither side has won on the board.
type Question struct {
	Board  *rules.Board // not modified
	ToMove rules.Side
	View   int // how far from the nearest piece a new one may be placed
	Win    int // the length of a winning row
	Seed   uint64
	// the number of positions to try, limited by the bot's level; 0 means usualNodes
	Nodes int
	Depth int           // the most moves to look ahead, from 1 to Deepest; 0 means no limit
	Limit time.Duration // the time after which WithLimit ends the search; 0 means no limit
	Timer *Timer        // ends searches of threat, whatever Nodes are; nil: it does not
	Spent Spent         // repeats an answer that depended on time, unless Timer is set
}

// Deepest is the greatest depth of the search, in moves of both sides.
const Deepest = 32

// Answer is a move and the bot's evaluation of it.
type Answer struct {
	Option
	// Considered lists the moves that the bot considered, the best first.
	Considered []Option
}

// Option is a move of two pieces and an evaluation of the position after it.
type Option struct {
	Pieces []rules.Coord
	Evaluation
}

// Evaluation says which side is ahead in a position.
type Evaluation struct {
	Heuristic float64 // from -1 to 1; positive if x is ahead
	WinIn     int     // moves of both sides from the position to the win; negative if o wins; 0 if unknown or already won
	// the context ended before the nodes were used up: without Spent, the same question may get
	// another answer
	Cut   bool
	Spent Spent // of the answer, if its search had a Timer or a limit
}

// Bot plays one side, or both.
type Bot interface {
	// Move answers a question with two pieces. If ctx ends, it returns the best move so far at
	// once; even then it never misses a win in one move, nor the block of one.
	Move(ctx context.Context, q Question) Answer
	// Judge evaluates the position without a move.
	Judge(ctx context.Context, q Question) Evaluation
}

// Description helps users to choose a bot.
type Description struct {
	Name    string
	Summary string // one line
}

var list = []struct {
	Description
	bot Bot
}{
	{Description{
		"threat",
		"searches for threats that cannot all be blocked, its own and yours, as deep as its time allows",
	}, threat{hard}},
	{Description{"threat:medium", "the same, two moves deep"}, threat{medium}},
	{Description{"threat:easy", "the same, one move deep"}, threat{easy}},
	{Description{"nearest", "places its pieces as close to the origin as it can"}, nearest{}},
	{Description{"random", "places its pieces anywhere close to others"}, random{}},
}

// Describe describes the bots, strongest first.
func Describe() []Description {
	var all []Description
	for _, b := range list {
		all = append(all, b.Description)
	}
	return all
}

// New returns the bot with that name; ok is false if no bot has it.
func New(name string) (b Bot, ok bool) {
	for _, b := range list {
		if b.Name == name {
			return b.bot, true
		}
	}
	return nil, false
}

// Parts lists what Without can leave out.
var Parts = []string{"evaluation", "solver", "veto"}

// Without returns threat without one of Parts, to show the strength that the part adds. Without
// the solver, threat uses the older search for attacks. Without the veto, it keeps moves after
// which the other side has an attack. ok reports whether Parts has the part.
func Without(part string) (b Bot, ok bool) {
	l := hard
	switch part {
	case "evaluation":
		l.learned = false
	case "solver":
		l.prove = false
	case "veto":
		l.veto = false
	default:
		return nil, false
	}
	return threat{l}, true
}

// judged converts the value of a position for the side to move to its evaluation.
func (q *Question) judged(value int32) Evaluation {
	e := Evaluation{Heuristic: math.Round(1000*math.Tanh(float64(value)/fullScore)) / 1000}
	switch {
	case value >= certain:
		e.Heuristic, e.WinIn = 1, int(won-value)
	case value <= -certain:
		e.Heuristic, e.WinIn = -1, -int(won+value)
	}
	if q.ToMove == rules.O {
		e.Heuristic, e.WinIn = 0-e.Heuristic, -e.WinIn // avoids a negative zero
	}
	return e
}

// after returns the evaluation of the position after a move of that value, which is one
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

// random returns the random number generator for one question.
func (q *Question) random() *rand.Rand {
	return rand.New(rand.NewPCG(q.Seed, uint64(len(q.Board.Pieces()))))
}

func (q *Question) String() string {
	return fmt.Sprintf("%s to move after %d pieces", q.ToMove, len(q.Board.Pieces()))
}
