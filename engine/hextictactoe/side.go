package hextictactoe

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Coord is a cell's axial position.
type Coord = hexgrid.Coord

// MaxCoord is the largest absolute value of q and r on a board. It keeps sums of
// coordinates within 32 bits.
const MaxCoord = 1 << 29

// OnBoard reports whether c is within MaxCoord.
func OnBoard(c Coord) bool {
	return c.Q >= -MaxCoord && c.Q <= MaxCoord && c.R >= -MaxCoord && c.R <= MaxCoord
}

// Side is one of the two sides, or none.
type Side uint8

// The sides. None is what an empty cell holds.
const (
	None Side = iota
	X         // cross, player 0
	O         // circle, player 1
)

// ParseSide returns the side with that name, "x" or "o"; ok is false for any other name.
func ParseSide(name string) (s Side, ok bool) {
	switch name {
	case "x":
		return X, true
	case "o":
		return O, true
	}
	return None, false
}

// String returns the side's name on the wire: "x", "o", or "" for None.
func (s Side) String() string { return [...]string{"", "x", "o"}[s] }

// Other returns the opponent of s; None for None.
func (s Side) Other() Side { return [...]Side{None, O, X}[s] }

// Player returns the player with that side; engine.NoPlayer for None.
func (s Side) Player() engine.PlayerID { return engine.PlayerID(s) - 1 }

// Piece is a cell taken by a side.
type Piece struct {
	Coord
	Side Side
}
