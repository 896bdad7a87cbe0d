package analysis

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// Game holds the moves of a game, which need not have ended.
type Game struct {
	Rules  hextictactoe.Options // without a clock and a turn limit: these have been obeyed
	Moves  [][]htttx.Cell
	start  hextictactoe.Position
	winner htttx.Side // 0: no row was completed
}

// NewGame returns the game with these moves. The error names a move that is against the rules.
func NewGame(rules hextictactoe.Options, moves [][]htttx.Cell) (*Game, error) {
	rules.Clock, rules.TurnLimit = hextictactoe.Clock{Kind: hextictactoe.NoClock}, 0
	start := hextictactoe.Position{
		ToMove: hextictactoe.O, Pieces: []hextictactoe.Piece{{Side: hextictactoe.X}},
	}
	if rules.Setup != nil {
		start = *rules.Setup
	}
	g := &Game{Rules: rules, Moves: moves, start: start}
	play := hextictactoe.New(rules)
	result, err := play.Start(engine.Setup{Players: 2})
	if err != nil {
		return nil, err
	}
	for i, pieces := range moves {
		if result.Over {
			return nil, fmt.Errorf("move %d comes after the end of the game", i+1)
		}
		actions := append(htttx.MoveOption{Pieces: pieces}.Append([]byte{'['}), ']')
		side := play.ToMove()
		result = play.Step([]engine.Input{{Player: side.Player(), Actions: actions}})
		if result.Over && result.Winner != side.Player() {
			return nil, fmt.Errorf("move %d is against the rules: %s", i+1, result.Reason)
		}
	}
	if result.Over {
		g.winner = g.side(len(moves) - 1)
	}
	return g, nil
}

// usual reports whether the game began as games do, so that a bot needs no
// capability to be set up for it.
func (g *Game) usual() bool {
	s := &g.start
	return s.ToMove == hextictactoe.O && len(s.Pieces) == 1 &&
		s.Pieces[0] == hextictactoe.Piece{Side: hextictactoe.X}
}

// side returns the side that makes move n, from 0.
func (g *Game) side(n int) htttx.Side {
	first := sideOf(g.start.ToMove)
	if n%2 == 1 {
		return first.Other()
	}
	return first
}

// line returns the moves before move n, from 0.
func (g *Game) line(n int) []htttx.Move {
	line := make([]htttx.Move, n)
	for i := range line {
		line[i] = htttx.Move{Side: g.side(i), Pieces: g.Moves[i]}
	}
	return line
}

// pieces returns the pieces on the board after the moves of a line.
func (g *Game) pieces(line []htttx.Move) []htttx.Piece {
	var list []htttx.Piece
	for _, p := range g.start.Pieces {
		list = append(list,
			htttx.Piece{Cell: htttx.Cell{Q: int32(p.Q), R: int32(p.R)}, Side: sideOf(p.Side)})
	}
	for _, m := range line {
		for _, c := range m.Pieces {
			list = append(list, htttx.Piece{Cell: c, Side: m.Side})
		}
	}
	return list
}

func sideOf(s hextictactoe.Side) htttx.Side {
	if s == hextictactoe.X {
		return htttx.Cross
	}
	return htttx.Circle
}

// try plays a move after a line: won reports whether it wins, legal whether it may be made at all.
func (g *Game) try(line []htttx.Move, side htttx.Side, pieces []htttx.Cell) (won, legal bool) {
	p := g.position(line, side)
	rules := g.Rules
	rules.Setup = &p
	play := hextictactoe.New(rules)
	if _, err := play.Start(engine.Setup{Players: 2}); err != nil {
		return false, false
	}
	actions := append(htttx.MoveOption{Pieces: pieces}.Append([]byte{'['}), ']')
	result := play.Step([]engine.Input{{Player: p.ToMove.Player(), Actions: actions}})
	won = result.Over && result.Winner == p.ToMove.Player()
	return won, won || !result.Over
}

func (g *Game) position(line []htttx.Move, side htttx.Side) hextictactoe.Position {
	p := hextictactoe.Position{ToMove: botapi.PieceOf(htttx.Cell{}, side).Side}
	for _, piece := range g.pieces(line) {
		p.Pieces = append(p.Pieces, botapi.PieceOf(piece.Cell, piece.Side))
	}
	return p
}

// winInOne returns a move with which a side wins at once after a line; nil if it has none. That
// needs no judge: it is a row that lacks at most two pieces and has none of the other side.
func (g *Game) winInOne(line []htttx.Move, side htttx.Side) []htttx.Cell {
	position := g.position(line, side)
	var board hextictactoe.Board
	for _, p := range position.Pieces {
		board.Place(p)
	}
	for _, p := range position.Pieces {
		if p.Side != position.ToMove {
			continue
		}
		for _, axis := range [...]hextictactoe.Coord{{Q: 1}, {R: 1}, {Q: 1, R: -1}} {
			for back := range g.Rules.WinDistance {
				move := g.missing(&board, p, axis, back)
				for range move { // either piece may have to be placed first, to be near enough
					if won, _ := g.try(line, side, move); won {
						return move
					}
					slices.Reverse(move)
				}
			}
		}
	}
	return nil
}

// missing returns the cells that a side lacks in the row that begins back cells before one of its
// pieces; nil if it cannot complete the row in one move.
func (g *Game) missing(
	board *hextictactoe.Board, p hextictactoe.Piece, axis hextictactoe.Coord, back int,
) (lacks []htttx.Cell) {
	for i := range g.Rules.WinDistance {
		c := hextictactoe.Coord{Q: p.Q + (i-back)*axis.Q, R: p.R + (i-back)*axis.R}
		switch {
		case !hextictactoe.OnBoard(c):
			return nil
		case board.At(c) == p.Side:
		case board.At(c) != hextictactoe.None || len(lacks) == htttx.MovePieces:
			return nil
		default:
			lacks = append(lacks, htttx.Cell{Q: int32(c.Q), R: int32(c.R)})
		}
	}
	return lacks
}
