package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// wireState is a state in the form that clients read, apart from what Options and Position have.
type wireState struct {
	Board     struct{ Cells []wirePiece }
	ToMove    string `json:"to_move"`
	Previous  []wireMove
	Move      int
	Clocks    *struct{ X, O int64 }
	Status    string
	Reason    string
	Row       []Coord
	TurnLimit int `json:"turn_limit"`
}

type wireMove struct {
	Side   string
	Pieces []Coord
}

// Restore implements [engine.Restorer]. The options become those of the state. A state shows whole
// milliseconds of the clocks, and the moves of both sides together: if a side left while the other
// was to move, the tallies of moves may be those of the other side.
func (g *Game) Restore(setup engine.Setup, _ int, state []byte) (engine.Result, error) {
	var s wireState
	o := Options{Setup: &Position{}}
	err := errors.Join(json.Unmarshal(state, &s), json.Unmarshal(state, &o))
	position, text := o.Setup, []byte(nil)
	if err == nil {
		if text, err = json.Marshal(wire{ToMove: s.ToMove, Cells: s.Board.Cells}); err == nil {
			err = json.Unmarshal(text, position)
		}
	}
	if err == nil && (setup.Players != 2 || setup.Specials != 0) {
		err = fmt.Errorf("%d players and %d special players, want 2 and 0", setup.Players,
			setup.Specials)
	}
	r := &Game{options: o, limit: s.TurnLimit, moves: s.Move, row: s.Row, reason: s.Reason}
	if err == nil {
		err = r.restore(&s)
	}
	if err != nil {
		return engine.Result{}, fmt.Errorf("hextictactoe: state: %w", err)
	}
	*g = *r
	return g.result(), nil
}

// restore fills a new game that has its options.
func (g *Game) restore(s *wireState) error {
	winner, known := map[string]Side{
		"in_progress": None, "draw": None, "x_wins": X, "o_wins": O,
	}[s.Status]
	g.over, g.winner = s.Status != "in_progress", winner
	switch {
	case !known:
		return fmt.Errorf("status %.20q is not in_progress, draw, x_wins or o_wins", s.Status)
	case g.moves < 0 || g.limit < 0:
		return fmt.Errorf("move %d or turn_limit %d is negative", g.moves, g.limit)
	case !g.over && (s.Reason != "" || len(s.Row) > 0 || g.limit > 0 && g.moves >= g.limit):
		return errors.New("a game in progress has a reason or a row, or too many moves")
	case (g.options.Clock.Kind == NoClock) != (s.Clocks == nil):
		return fmt.Errorf("clocks do not fit to the clock type %.20q", g.options.Clock.Kind)
	}
	if err := g.options.check(); err != nil {
		return err
	}
	g.toMove = g.options.Setup.ToMove
	if err := g.restorePieces(); err != nil {
		return err
	}
	if g.clocks = newClocks(g.options.Clock); s.Clocks != nil {
		if s.Clocks.X < 0 || s.Clocks.O < 0 || max(s.Clocks.X, s.Clocks.O) > 2*maxClock {
			return fmt.Errorf("clocks %d and %d are not from 0 to %d", s.Clocks.X, s.Clocks.O, 2*maxClock)
		}
		g.clocks.left = [2]int64{1000 * s.Clocks.X, 1000 * s.Clocks.O}
	}
	return g.restoreMoves(s.Previous)
}

// restorePieces places the pieces of the options' setup, which may have a row if the game is over.
func (g *Game) restorePieces() error {
	o := g.options
	if g.over {
		o.WinDistance = len(o.Setup.Pieces) + 1
	}
	if err := o.place(&g.board); err != nil {
		return err
	}
	for _, p := range g.board.Pieces() {
		g.count(p)
	}
	g.text = 0
	return nil
}

// restoreMoves restores the previous moves and the number of those of each side.
func (g *Game) restoreMoves(list []wireMove) error {
	if len(list) != min(g.moves, len(g.recent)) {
		return fmt.Errorf("%d previous moves after %d", len(list), g.moves)
	}
	for i, m := range list {
		side, ok := ParseSide(m.Side)
		if !ok || len(m.Pieces) == 0 || len(m.Pieces) > PiecesPerMove {
			return fmt.Errorf("previous[%d]: %d pieces of side %.20q", i, len(m.Pieces), m.Side)
		}
		move := Move{Side: side, Placed: len(m.Pieces)}
		copy(move.Pieces[:], m.Pieces)
		for _, c := range m.Pieces {
			if g.board.At(c) != side {
				return fmt.Errorf("previous[%d]: %s has no piece at %d,%d", i, side, c.Q, c.R)
			}
		}
		g.recent[0], g.recent[1] = g.recent[1], move
	}
	if last := g.recent[1].Side; last != None {
		g.played[last-X], g.played[last.Other()-X] = int64(g.moves+1)/2, int64(g.moves)/2
	}
	return nil
}

// Copy implements [engine.Restorer].
func (g *Game) Copy() engine.Game {
	c := *g
	c.board.pieces, c.board.spans = slices.Clone(g.board.pieces), slices.Clone(g.board.spans)
	c.cells, c.row, c.refused = slices.Clone(g.cells), slices.Clone(g.row), nil
	return &c
}
