package hextictactoe

import (
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// ByPiece is a game in which an answer is one piece, for programs that learn: it holds the first
// piece of a move until the second arrives, unless the first wins. States show whole moves. It
// implements [engine.Restorer].
type ByPiece struct {
	*Game
	first  Coord
	held   bool // first has been answered
	inputs []engine.Input
	whole  Move
}

// NewByPiece returns a game by pieces that plays g.
func NewByPiece(g *Game) *ByPiece { return &ByPiece{Game: g} }

// Second reports whether the side to move has placed its first piece.
func (b *ByPiece) Second() bool { return b.held }

// Step implements engine.Game. An answer that is no move of one piece is left to the rules. At
// the end of the game, Step drops a piece that it holds.
func (b *ByPiece) Step(inputs []engine.Input) engine.Result {
	r := b.step(inputs)
	b.held = b.held && !b.over
	return r
}

func (b *ByPiece) step(inputs []engine.Input) engine.Result {
	i := b.newest(inputs)
	if b.over || i < 0 || inputs[i].Lapse != engine.Answered {
		return b.Game.Step(inputs)
	}
	m, forfeit, _ := readMove(&inputs[i])
	piece := Piece{m.Pieces[0], b.toMove}
	switch {
	case forfeit != "" || m.Placed != 1:
	case b.held:
		b.held = false
		m.Pieces, m.Placed = [PiecesPerMove]Coord{b.first, piece.Coord}, PiecesPerMove
		b.whole = m
		b.inputs = append(b.inputs[:0], inputs...)
		b.inputs[i].Prepared = &b.whole
		inputs = b.inputs
	case b.fault(piece.Coord, false) == "" &&
		len(b.board.AppendRows(nil, piece, b.options.WinDistance)) == 0:
		b.first, b.held, b.refused = piece.Coord, true, b.refused[:0]
		return b.result()
	}
	return b.Game.Step(inputs)
}

// Split returns the inputs of each step that plays those of a step of Game. If the first piece ends
// the game, the second step plays nothing.
func (b *ByPiece) Split(inputs []engine.Input) [][]engine.Input {
	i := b.newest(inputs)
	if i < 0 || inputs[i].Lapse != engine.Answered {
		return [][]engine.Input{inputs}
	}
	m, forfeit, _ := readMove(&inputs[i])
	if forfeit != "" || m.Placed != PiecesPerMove {
		return [][]engine.Input{inputs}
	}
	steps := make([][]engine.Input, PiecesPerMove)
	for n := range steps {
		steps[n] = slices.Clone(inputs)
		steps[n][i].Prepared = &Move{Pieces: [PiecesPerMove]Coord{m.Pieces[n]}, Placed: 1}
	}
	return steps
}

// Restore implements engine.Restorer.
func (b *ByPiece) Restore(setup engine.Setup, steps int, state []byte) (engine.Result, error) {
	r, err := b.Game.Restore(setup, steps, state)
	b.held = b.held && err != nil
	return r, err
}

// Copy implements engine.Restorer.
func (b *ByPiece) Copy() engine.Game {
	return &ByPiece{Game: b.Game.Copy().(*Game), first: b.first, held: b.held}
}

// AppendPieces appends the pieces in the order in which they were placed, with one that is held.
func (b *ByPiece) AppendPieces(dst []Piece) []Piece {
	dst = append(dst, b.board.Pieces()...)
	if b.held {
		dst = append(dst, Piece{b.first, b.toMove})
	}
	return dst
}
