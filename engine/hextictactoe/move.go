package hextictactoe

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// PiecesPerMove is the number of pieces of a move, unless the first one wins.
const PiecesPerMove = 2

// Move is the pieces that a side places at once: two, or one that wins.
type Move struct {
	Side   Side
	Pieces [PiecesPerMove]Coord
	Placed int // the number of pieces placed
}

// Reasons for which a move or a lapse forfeits the game. Hivemaker has texts of its own for those
// that are exported.
const (
	forfeitUnreadable = "forfeit: unreadable answer"
	forfeitMissing    = "forfeit: no move"
	forfeitSeveral    = "forfeit: more than one move"
	forfeitMalformed  = "forfeit: malformed move"
	forfeitNumber     = "forfeit: a move is two pieces"
	ForfeitOne        = "forfeit: one piece that does not win"
	ForfeitOccupied   = "forfeit: cell occupied"
	ForfeitFar        = "forfeit: too far from every piece"
	forfeitEdge       = "forfeit: beyond the edge of the board"
	forfeitTime       = "forfeit: out of time"
	forfeitLeft       = "forfeit: left"
	forfeitSilent     = "forfeit: no answer"
)

// Reasons for which an input other than the one that counts has no effect.
const (
	notYourTurn   = "not your turn"
	unknownPlayer = "unknown player"
	oneAnswer     = "one answer per turn"
)

// forfeitOf returns the reason for the forfeit caused by a lapse.
func forfeitOf(l engine.Lapse) string {
	switch l {
	case engine.TimedOut:
		return forfeitTime
	case engine.Gone:
		return forfeitLeft
	case engine.Malformed:
		return forfeitUnreadable
	}
	return forfeitSilent
}

// readMove returns the move of an input: a *Move that is prepared, else the only one in the
// actions. If the input is a forfeit, it returns the reason and the index of the action at fault,
// -1 for the whole array.
func readMove(in *engine.Input) (m Move, forfeit string, action int) {
	if m, ok := in.Prepared.(*Move); ok {
		return *m, "", 0
	}
	list := listOf(in)
	if list == nil {
		return m, forfeitUnreadable, -1
	}
	var first jsonscan.Value
	for i, v := range list.Elements() {
		if i > 0 {
			return m, forfeitSeveral, 1
		}
		first = v
	}
	if first == nil {
		return m, forfeitMissing, -1
	}
	pieces := first.Field("pieces")
	if pieces.Kind() != jsonscan.Array {
		return m, forfeitMalformed, 0
	}
	for i, v := range pieces.Elements() {
		if i == PiecesPerMove {
			return m, forfeitNumber, 0
		}
		c, ok := readCoord(v)
		if m.Pieces[i] = c; !ok {
			return m, forfeitMalformed, 0
		}
		m.Placed++
	}
	if m.Placed == 0 {
		return m, forfeitNumber, 0
	}
	return m, "", 0
}

// listOf returns the actions of an input, or nil if they are not a JSON array.
func listOf(in *engine.Input) jsonscan.Value {
	list := jsonscan.Value(in.Actions)
	if !in.Valid {
		var err error
		if list, err = jsonscan.Parse(in.Actions); err != nil {
			return nil
		}
	}
	if list.Kind() != jsonscan.Array {
		return nil
	}
	return list
}

// readCoord parses a cell; if a field is repeated, the last one counts.
func readCoord(v jsonscan.Value) (c Coord, ok bool) {
	var hasQ, hasR bool
	for key, v := range v.Fields() {
		n, isInt := v.Int32()
		switch {
		case key.Is("q"):
			c.Q, hasQ = int(n), isInt
		case key.Is("r"):
			c.R, hasR = int(n), isInt
		}
	}
	return c, hasQ && hasR
}

// isEmptyAnswer reports whether an input is what a player who is not to move should send: an
// empty array, or no answer.
func isEmptyAnswer(in *engine.Input) bool {
	if in.Lapse != engine.Answered {
		return true
	}
	list := listOf(in)
	if list == nil {
		return false
	}
	for range list.Elements() {
		return false
	}
	return true
}
