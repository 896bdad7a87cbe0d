package botapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
)

// Position is a state of hexagonal tic-tac-toe, from which the packets for peers and viewers are
// made. It is not changed.
type Position struct {
	Moves    int             `json:"move"` // played
	Board    json.RawMessage `json:"board"`
	ToMove   htttx.Side      `json:"to_move"`
	Previous []htttx.Move    `json:"previous"` // the last two moves, or fewer
	Status   htttx.Status    `json:"status"`
	// why the game is over, in the words of the rules; empty while it goes on
	Reason string `json:"reason"`
	View   int    `json:"view_distance"`
	Win    int    `json:"win_distance"`
	Clock  struct {
		Type hextictactoe.ClockKind `json:"type"`
		Base int64                  `json:"base_ms"`
	} `json:"clock"`
	Clocks map[htttx.Side]int64 `json:"clocks"` // milliseconds that are left
}

// ReadPosition parses a state. The result shares no memory with it.
func ReadPosition(state []byte) (*Position, error) {
	p := new(Position)
	if err := json.Unmarshal(state, p); err != nil {
		return nil, fmt.Errorf("not a state of hexagonal tic-tac-toe: %w", err)
	}
	if p.ToMove == 0 || p.Board == nil {
		return nil, fmt.Errorf("not a state of hexagonal tic-tac-toe: %.60s", state)
	}
	return p, nil
}

// PositionOf returns the state of a frame, which is parsed once for all who ask.
func PositionOf(f *match.Frame) (*Position, error) {
	p, err := f.Parsed(func(state []byte) (any, error) { return ReadPosition(state) })
	if err != nil {
		return nil, err
	}
	return p.(*Position), nil
}

// latest returns the position from which a peer can follow the match: p, from which it begins, or
// that of the newest frame if this does not tell all moves since p; the frame may be nil.
func (p *Position) latest(newest *match.Frame) *Position {
	if newest == nil {
		return p
	}
	if n, err := PositionOf(newest); err == nil && n.Moves-p.Moves > len(n.Previous) {
		return n
	}
	return p
}

// Since returns the last two moves, without those that had been played at an earlier position.
func (p *Position) Since(earlier *Position) []htttx.Move {
	return p.Previous[max(0, len(p.Previous)-(p.Moves-earlier.Moves)):]
}

// limit returns how long a side has for its next move: patience, if there is no clock.
func (p *Position) limit(side htttx.Side, patience time.Duration) time.Duration {
	switch p.Clock.Type {
	case hextictactoe.TurnClock:
		return time.Duration(p.Clock.Base) * time.Millisecond
	case hextictactoe.MatchClock, hextictactoe.Incremental:
		return time.Duration(p.Clocks[side]) * time.Millisecond
	}
	return patience
}

// LastMove returns the last move, which has no pieces if no move was played.
func (p *Position) LastMove() htttx.Move {
	if n := len(p.Previous); n > 0 {
		return p.Previous[n-1]
	}
	return htttx.Move{}
}

// Setup returns the packet that shows the board.
func (p *Position) Setup() htttx.Setup { return htttx.Setup{Board: jsonscan.Value(p.Board)} }

// Update returns the packet that shows viewers the board after a move. Hivemaker
// has no status for a draw, so a drawn game is in progress until its end packet.
func (p *Position) Update() htttx.BoardUpdate {
	u := htttx.BoardUpdate{Board: jsonscan.Value(p.Board), ToMove: p.ToMove, Status: htttx.InProgress}
	if p.Status == htttx.CrossWins || p.Status == htttx.CircleWins {
		u.Status = p.Status
	}
	return u
}

// End returns the packet that tells how the game ended.
func (p *Position) End() htttx.End {
	e := htttx.End{Reason: htttx.EndForfeit, Board: jsonscan.Value(p.Board)}
	switch p.Status {
	case htttx.CrossWins:
		e.Winner = htttx.Cross
	case htttx.CircleWins:
		e.Winner = htttx.Circle
	default:
		e.Reason = htttx.EndDraw
	}
	if strings.HasPrefix(p.Reason, "win") {
		e.Reason = htttx.EndWin
	}
	return e
}

// refusal returns the reason of the nope to the side that forfeited, whose last move is not on the
// board if it broke the rules. It is Hivemaker's text where its server has one, else the rules'.
func (p *Position) refusal(move []htttx.Cell) string {
	switch p.Reason {
	case hextictactoe.ForfeitOne:
		return "bot must respond with exactly 2 pieces"
	case hextictactoe.ForfeitOccupied, hextictactoe.ForfeitFar:
		b, _ := p.pieces()
		for _, c := range move {
			piece := PieceOf(c, p.ToMove)
			switch {
			case b.At(piece.Coord) != hextictactoe.None:
				return fmt.Sprintf("(%d,%d) already occupied", c.Q, c.R)
			case !b.Near(piece.Coord, p.View):
				return fmt.Sprintf("(%d,%d) out of view range", c.Q, c.R)
			}
			b.Place(piece)
		}
	}
	return p.Reason
}

// completesMove reports whether a first piece needs no second, because it wins or cannot be placed.
func (p *Position) completesMove(c htttx.Cell) bool {
	b, ok := p.pieces()
	piece := PieceOf(c, p.ToMove)
	if !ok || !hextictactoe.OnBoard(piece.Coord) || b.At(piece.Coord) != hextictactoe.None ||
		!b.Near(piece.Coord, p.View) {
		return true
	}
	return len(b.AppendRows(nil, piece, p.Win)) > 0
}

// pieces returns the board as the rules have it; false if it is not one.
func (p *Position) pieces() (b hextictactoe.Board, ok bool) {
	pieces, err := htttx.ParseBoard(jsonscan.Value(p.Board))
	for _, piece := range pieces {
		b.Place(PieceOf(piece.Cell, piece.Side))
	}
	return b, err == nil
}

// PieceOf returns a piece as the rules have it.
func PieceOf(c htttx.Cell, s htttx.Side) hextictactoe.Piece {
	side, _ := hextictactoe.ParseSide(s.String())
	return hextictactoe.Piece{Coord: CoordOf(c), Side: side}
}

// CoordOf returns a cell as the rules have it.
func CoordOf(c htttx.Cell) hextictactoe.Coord {
	return hextictactoe.Coord{Q: int(c.Q), R: int(c.R)}
}

// maxMoves is the number of moves after which a game without a turn limit is a draw.
const maxMoves = 100_000

// Settings returns the settings of all matches of two peers.
func Settings() match.Settings { return match.Settings{Turns: maxMoves, Players: 2} }

// BudgetOf returns how long a side may think by a clock. Without a clock, patience
// bounds each move.
func BudgetOf(c hextictactoe.Clock, patience time.Duration) match.Budget {
	base := time.Duration(c.Base) * time.Millisecond
	switch c.Kind {
	case hextictactoe.TurnClock:
		return match.Budget{Time: base}
	case hextictactoe.MatchClock, hextictactoe.Incremental:
		return match.Budget{
			Time: base, Lasting: true, Increment: time.Duration(c.Increment) * time.Millisecond,
		}
	}
	return match.Budget{Time: patience}
}
