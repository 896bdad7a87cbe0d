package botapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Position is a state of the game as it is sent to peers and viewers.
type Position struct {
	Moves int // played

	board    jsonscan.Value
	toMove   htttx.Side
	previous []htttx.Move // the last two moves, or fewer
	status   string       // as in the state
	reason   string       // why the game is over; empty while it goes on
	clock    clock
	rules    rules
}

// inProgress is the status of a game that goes on.
const inProgress = string(htttx.InProgress)

// clock holds the time that the sides have.
type clock struct {
	kind hextictactoe.ClockKind
	base time.Duration
	left map[string]time.Duration // by side
}

// rules holds the rules that a person's client leaves to the server.
type rules struct{ view, win int }

// stateJSON is the JSON form of a state of hextictactoe.
type stateJSON struct {
	Board    json.RawMessage `json:"board"`
	ToMove   string          `json:"to_move"`
	Previous []struct {
		Side   string       `json:"side"`
		Pieces []htttx.Cell `json:"pieces"`
	} `json:"previous"`
	Status string `json:"status"`
	Moves  int    `json:"move"`
	Reason string `json:"reason"`
	View   int    `json:"view_distance"`
	Win    int    `json:"win_distance"`
	Clock  struct {
		Type hextictactoe.ClockKind `json:"type"`
		Base int64                  `json:"base_ms"`
	} `json:"clock"`
	Clocks map[string]int64 `json:"clocks"`
}

// ReadPosition parses a state. The result shares no memory with it.
func ReadPosition(state []byte) (*Position, error) {
	var s stateJSON
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, fmt.Errorf("not a state of hexagonal tic-tac-toe: %w", err)
	}
	side, ok := sides[s.ToMove]
	if !ok || s.Board == nil {
		return nil, fmt.Errorf("not a state of hexagonal tic-tac-toe: %.60s", state)
	}
	p := &Position{
		board: jsonscan.Value(s.Board), toMove: side, status: s.Status, reason: s.Reason,
		clock: clock{s.Clock.Type, time.Duration(s.Clock.Base) * time.Millisecond, map[string]time.Duration{}},
		rules: rules{s.View, s.Win}, Moves: s.Moves,
	}
	for _, m := range s.Previous {
		p.previous = append(p.previous, htttx.Move{Side: sides[m.Side], Pieces: m.Pieces})
	}
	for side, ms := range s.Clocks {
		p.clock.left[side] = time.Duration(ms) * time.Millisecond
	}
	return p, nil
}

var sides = map[string]htttx.Side{"x": htttx.Cross, "o": htttx.Circle}

// limit returns how long a side has for its next move: patience, if there is no
// clock.
func (c *clock) limit(side htttx.Side, patience time.Duration) time.Duration {
	switch c.kind {
	case hextictactoe.TurnClock:
		return c.base
	case hextictactoe.MatchClock, hextictactoe.Incremental:
		return c.left[side.String()]
	}
	return patience
}

// Reason returns why the game is over, in the words of the rules, or "" while it
// goes on.
func (p *Position) Reason() string { return p.reason }

// LastMove returns the last move, which has no pieces if no move was played.
func (p *Position) LastMove() htttx.Move {
	if n := len(p.previous); n > 0 {
		return p.previous[n-1]
	}
	return htttx.Move{}
}

// Setup returns the packet that shows the board.
func (p *Position) Setup() htttx.Setup { return htttx.Setup{Board: p.board} }

// Update returns the packet that shows viewers the board after a move. Hivemaker
// has no status for a draw, so a drawn game is in progress until its end packet.
func (p *Position) Update() htttx.BoardUpdate {
	u := htttx.BoardUpdate{Board: p.board, ToMove: p.toMove, Status: htttx.InProgress}
	if s := htttx.Status(p.status); s == htttx.CrossWins || s == htttx.CircleWins {
		u.Status = s
	}
	return u
}

// End returns the packet that tells how the game ended.
func (p *Position) End() htttx.End {
	e := htttx.End{Reason: htttx.EndForfeit, Board: p.board}
	switch p.status {
	case string(htttx.CrossWins):
		e.Winner = htttx.Cross
	case string(htttx.CircleWins):
		e.Winner = htttx.Circle
	default:
		e.Reason = htttx.EndDraw
	}
	if strings.HasPrefix(p.reason, "win") {
		e.Reason = htttx.EndWin
	}
	return e
}

// completesMove reports whether a first piece needs no second, because it wins or
// cannot be placed.
func (p *Position) completesMove(c htttx.Cell) bool {
	var b hextictactoe.Board
	pieces, err := htttx.ParseBoard(p.board)
	if err != nil {
		return true
	}
	for _, piece := range pieces {
		b.Place(pieceOf(piece.Cell, piece.Side))
	}
	piece := pieceOf(c, p.toMove)
	if !inRange(c) || b.At(piece.Coord) != hextictactoe.None || !b.Near(piece.Coord, p.rules.view) {
		return true
	}
	return len(b.AppendRows(nil, piece, p.rules.win)) > 0
}

// inRange reports whether a board can hold the cell.
func inRange(c htttx.Cell) bool {
	const most = hextictactoe.MaxCoord
	return -most <= c.Q && c.Q <= most && -most <= c.R && c.R <= most
}

func pieceOf(c htttx.Cell, s htttx.Side) hextictactoe.Piece {
	side, _ := hextictactoe.ParseSide(s.String())
	return hextictactoe.Piece{Coord: hextictactoe.Coord{Q: int(c.Q), R: int(c.R)}, Side: side}
}
