// Package analysis lets a bot of the HTTTX Bot API, the judge, evaluate a game of
// hexagonal tic-tac-toe: the position before and after each move, the move that the judge
// prefers, and the moves that lost the game. It prints nothing.
//
// The judge is asked only for what it declares; [Feature] says what each capability enables and
// what happens without it. [Run] owns the sessions and closes them; it starts no goroutines.
package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// Options configure the analysis of a game.
type Options struct {
	Dialer  *botapi.Dialer
	Address string        // of the judge
	Time    time.Duration // for each answer
	Depth   int           // for a judge that declares config; 0: its own
	Moves   []int         // to judge, from 1, in this order; nil: all
	// moves of how the judge expects the game to go on in place of each judged move; 0: none
	Line    int
	Threats bool    // report what the side that has moved would play next
	Blunder float64 // least loss of a blunder, on a scale of 2 from won to lost

	Begun    func(*Judge) // is called before the first move is judged
	Answered func()       // is called after each question to the judge; may be nil
	Judged   func(*Move)  // is called after each move
}

// Judge describes the bot that judges.
type Judge struct {
	Name      string    `json:"name"`
	Address   string    `json:"address"`
	Stateless bool      `json:"stateless"`
	Features  []Feature `json:"features"`
}

// Report holds the moves that were judged.
type Report struct {
	Judge Judge  `json:"judge"`
	Moves []Move `json:"moves"`
}

// Run judges a game. When ctx ends, it returns the report so far and the cause.
func Run(ctx context.Context, g *Game, o Options) (*Report, error) {
	list := o.Moves
	if list == nil {
		for n := range g.Moves {
			list = append(list, n+1)
		}
	}
	for _, n := range list {
		if n < 1 || n > len(g.Moves) {
			return nil, fmt.Errorf("there is no move %d; the game has %d", n, len(g.Moves))
		}
	}
	j := &judge{opts: o, game: g, sessions: map[htttx.Side]*session{}}
	defer j.close()
	if err := j.meet(ctx); err != nil {
		return nil, err
	}
	r := &Report{Judge: j.describe()}
	if o.Begun != nil {
		o.Begun(&r.Judge)
	}
	w := &walk{judge: j, known: map[int]*opinion{}}
	for _, n := range list {
		m, err := w.move(ctx, n)
		if err != nil {
			return r, err
		}
		r.Moves = append(r.Moves, *m)
		if o.Judged != nil {
			o.Judged(m)
		}
	}
	return r, nil
}

// walk keeps the opinions on positions, so that each position is asked about once.
type walk struct {
	*judge
	known map[int]*opinion // by the number of moves before the position
}

// move judges the move with that number, from 1.
func (w *walk) move(ctx context.Context, number int) (*Move, error) {
	g, n := w.game, number-1
	line, side := g.line(n), g.side(n)
	m := &Move{Number: number, Side: side.String(), Pieces: g.Moves[n]}
	m.Won = g.winner != 0 && number == len(g.Moves)
	before, err := w.opinion(ctx, n)
	if err != nil {
		return nil, err
	}
	after, err := w.opinion(ctx, number)
	if err != nil {
		return nil, err
	}
	m.take(before, after)
	m.Best = before.move != nil && same(before.move, g.Moves[n])
	if before.move != nil && !m.Best {
		m.Preferred = before.move
		if m.Instead, err = w.instead(ctx, line, side, before.move); err != nil {
			return nil, err
		}
	}
	if before.move != nil && w.opts.Line > 0 {
		if m.Line, err = w.continuation(ctx, line, side, before.move); err != nil {
			return nil, err
		}
	}
	if !m.Won {
		m.MissedWin = g.winInOne(line, side)
		if w.opts.Threats && w.can.FreeMoveOrder {
			if m.Threat, err = w.threat(ctx, number, side); err != nil {
				return nil, err
			}
		}
	}
	m.judge(w.opts.Blunder)
	return m, nil
}

// continuation returns a move, and what the judge would play after it for both sides, up to a win
// or Options.Line moves.
func (w *walk) continuation(
	ctx context.Context, line []htttx.Move, side htttx.Side, move []htttx.Cell,
) ([][]htttx.Cell, error) {
	line = slices.Clone(line)
	var moves [][]htttx.Cell
	for {
		won, legal := w.game.try(line, side, move)
		if !legal || move == nil {
			return moves, nil
		}
		moves = append(moves, move)
		if won || len(moves) >= w.opts.Line {
			return moves, nil
		}
		line = append(line, htttx.Move{Side: side, Pieces: move})
		side = side.Other()
		o, err := w.ask(ctx, question{line: line, side: side, move: true})
		if err != nil {
			return nil, err
		}
		move = o.move
	}
}

// opinion returns what the judge thinks of the position after n moves.
func (w *walk) opinion(ctx context.Context, n int) (*opinion, error) {
	g := w.game
	if o := w.known[n]; o != nil {
		return o, nil
	}
	o := &opinion{}
	if n == len(g.Moves) && g.winner != 0 {
		o.eval = wonBy(g.winner)
	} else {
		var err error
		q := question{line: g.line(n), side: g.side(n), move: true, eval: true}
		if o, err = w.ask(ctx, q); err != nil {
			return nil, err
		}
		if _, legal := g.try(g.line(n), g.side(n), o.move); o.move != nil && !legal {
			o.move, o.fault = nil, "the judge's own move is against the rules"
		}
	}
	w.known[n] = o
	return o, nil
}

// instead returns the evaluation of the position after another move than the one played.
func (w *walk) instead(
	ctx context.Context, line []htttx.Move, side htttx.Side, move []htttx.Cell,
) (*htttx.Evaluation, error) {
	if won, _ := w.game.try(line, side, move); won {
		return wonBy(side), nil
	}
	other := append(slices.Clip(line), htttx.Move{Side: side, Pieces: move})
	o, err := w.ask(ctx, question{line: other, side: side.Other(), eval: true})
	if err != nil {
		return nil, err
	}
	return o.eval, nil
}

// threat returns what a side that has just moved would play if it could move again.
func (w *walk) threat(ctx context.Context, n int, side htttx.Side) ([]htttx.Cell, error) {
	o, err := w.ask(ctx, question{line: w.game.line(n), side: side, move: true})
	if err != nil {
		return nil, err
	}
	if _, legal := w.game.try(w.game.line(n), side, o.move); !legal {
		return nil, nil
	}
	return o.move, nil
}

// errUnreachable means that the judge cannot be shown a position.
var errUnreachable = errors.New("the judge cannot be shown this position: that takes free_setup, " +
	"or move_skips and the usual beginning")
