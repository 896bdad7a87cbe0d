package hextictactoe

import (
	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/games"
)

// The most cells where a piece may be placed, and the most pieces, that arrays show. 512 cells hold
// all that are within two or three of a piece, in games as people and bots play them.
const (
	envCells  = 512
	envPieces = 512
)

// env returns the states of a game as arrays. An answer is one piece, by its index in cells.
func env(engine.Game) (*games.Env, error) {
	return &games.Env{
		Actions: games.EnvArray{Type: "u2", Shape: []int{sides}},
		Arrays: []games.EnvArray{
			{Name: "cells", Type: "i4", Shape: []int{envCells, 2}},
			{Name: "lines", Type: "u1", Shape: []int{envCells, rules.LineFields / sides, sides}},
			{Name: "legal", Type: "i4"},
			{Name: "pieces", Type: "i4", Shape: []int{envPieces, 3}},
			{Name: "placed", Type: "i4"},
			{Name: "second", Type: "u1"},
		},
		Play:  func(g engine.Game) engine.Game { return rules.NewByPiece(g.(*rules.Game)) },
		Steps: rules.PiecesPerMove,
		Split: func(g engine.Game, inputs []engine.Input) [][]engine.Input {
			return g.(*rules.ByPiece).Split(inputs)
		},
		New: func(parts [][]byte) games.EnvView {
			return &envView{second: parts[5], view: rules.View{
				Cells: games.Elements[int32](parts[0]), Lines: parts[1], Count: games.Elements[int32](parts[2]),
				Pieces: games.Elements[int32](parts[3]), Placed: games.Elements[int32](parts[4]),
			}}
		},
	}, nil
}

// noMove is the answer of a side without a move.
var noMove = []byte("[]")

// envView is a match in arrays; it implements [games.EnvView].
type envView struct {
	view   rules.View
	second []byte
	game   *rules.ByPiece
	move   rules.Move
}

func (v *envView) Show(game engine.Game) {
	v.game = game.(*rules.ByPiece)
	v.game.Show(&v.view)
	v.second[0] = 0
	if v.game.Second() {
		v.second[0] = 1
	}
}

// Inputs implements games.EnvView. An index beyond the cells is no move: the side forfeits.
func (v *envView) Inputs(dst []engine.Input, actions []byte) []engine.Input {
	for p, i := range games.Elements[uint16](actions) {
		in := engine.Input{Player: engine.PlayerID(p), Actions: noMove, Valid: true}
		if side := v.game.ToMove(); side.Player() == in.Player && int32(i) < v.view.Count[0] {
			v.move.Pieces[0] = rules.Coord{Q: int(v.view.Cells[2*i]), R: int(v.view.Cells[2*i+1])}
			v.move.Placed = 1
			in.Prepared = &v.move
		}
		dst = append(dst, in)
	}
	return dst
}

// Codes implements games.EnvView. A piece that is on none of the cells has their number.
func (v *envView) Codes(actions []byte, in *engine.Input) {
	if in.Player == v.game.ToMove().Player() {
		games.Elements[uint16](actions)[in.Player] = uint16(v.view.Index(in))
	}
}

func (v *envView) Alive(engine.PlayerID) bool { return true }
