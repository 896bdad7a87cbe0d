package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Options configure a game. Recordings keep their JSON.
type Options struct {
	// how far from the nearest piece a new one may be placed
	ViewDistance int `json:"view_distance"`
	WinDistance  int `json:"win_distance"` // the length of a winning row
	// moves until a draw; 0: the turns of the engine.Setup
	TurnLimit int       `json:"turn_limit,omitempty"`
	Clock     Clock     `json:"clock"`
	Setup     *Position `json:"setup,omitempty"` // nil: x at the origin, o to move
}

// Position is the pieces on a board and the side to move.
type Position struct {
	ToMove Side
	Pieces []Piece
}

// Limits of the options.
const (
	MaxDistance = 100     // of ViewDistance and WinDistance
	MaxPieces   = 1 << 16 // of a setup position
)

// Defaults returns the default options.
func Defaults() Options {
	return Options{
		ViewDistance: 8, WinDistance: 6, Clock: Clock{Kind: NoClock},
	}
}

// ParseOptions parses options from JSON; fields that are missing keep their defaults.
func ParseOptions(text []byte) (Options, error) {
	o := Defaults()
	if err := json.Unmarshal(text, &o); err != nil {
		return o, fmt.Errorf("hextictactoe: options: %w", err)
	}
	return o, o.check()
}

// check reports everything that is report with the options, except rows in the setup.
func (o *Options) check() error {
	var faults []error
	report := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("hextictactoe: "+format, args...))
	}
	if o.ViewDistance < 1 || o.ViewDistance > MaxDistance {
		report("view_distance %d is not from 1 to %d", o.ViewDistance, MaxDistance)
	}
	if o.WinDistance < 2 || o.WinDistance > MaxDistance {
		report("win_distance %d is not from 2 to %d", o.WinDistance, MaxDistance)
	}
	if o.TurnLimit < 0 {
		report("turn_limit %d is negative", o.TurnLimit)
	}
	if err := o.Clock.check(); err != nil {
		faults = append(faults, err)
	}
	if p := o.Setup; p != nil {
		if p.ToMove != X && p.ToMove != O {
			report("the setup has no side to move; it must be x or o")
		}
		if len(p.Pieces) == 0 || len(p.Pieces) > MaxPieces {
			report("the setup has %d pieces, not 1 to %d", len(p.Pieces), MaxPieces)
		}
	}
	return errors.Join(faults...)
}

// place puts the pieces of the setup on b. It refuses a setup that has a winner.
func (o *Options) place(b *Board) error {
	if o.Setup == nil {
		b.Place(Piece{Side: X})
		return nil
	}
	var row []Coord
	for _, p := range o.Setup.Pieces {
		switch {
		case p.Side != X && p.Side != O:
			return fmt.Errorf("hextictactoe: the setup has a piece of no side at %d,%d", p.Q, p.R)
		case !OnBoard(p.Coord):
			return fmt.Errorf("hextictactoe: the setup has a piece at %d,%d, beyond the limit of %d", p.Q,
				p.R, MaxCoord)
		case b.At(p.Coord) != None:
			return fmt.Errorf("hextictactoe: the setup has two pieces at %d,%d", p.Q, p.R)
		}
		b.Place(p)
		if row = b.AppendRows(row[:0], p, o.WinDistance); len(row) > 0 {
			return fmt.Errorf("hextictactoe: %s has already won in the setup, with a row through %d,%d",
				p.Side, p.Q, p.R)
		}
	}
	return nil
}

// wire is a position in JSON.
type wire struct {
	ToMove string      `json:"to_move"`
	Cells  []wirePiece `json:"cells"`
}

type wirePiece struct {
	Q int32  `json:"q"`
	R int32  `json:"r"`
	P string `json:"p"`
}

// MarshalJSON implements json.Marshaler.
func (p Position) MarshalJSON() ([]byte, error) {
	w := wire{ToMove: p.ToMove.String(), Cells: make([]wirePiece, 0, len(p.Pieces))}
	for _, piece := range p.Pieces {
		w.Cells = append(w.Cells, wirePiece{int32(piece.Q), int32(piece.R), piece.Side.String()})
	}
	return json.Marshal(w)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Position) UnmarshalJSON(text []byte) error {
	var w wire
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	side, ok := ParseSide(w.ToMove)
	if !ok {
		return fmt.Errorf("to_move is %.20q, it must be x or o", w.ToMove)
	}
	*p = Position{ToMove: side}
	for i, c := range w.Cells {
		side, ok := ParseSide(c.P)
		if !ok {
			return fmt.Errorf("cell %d has p %.20q, it must be x or o", i, c.P)
		}
		p.Pieces = append(p.Pieces, Piece{Coord{Q: int(c.Q), R: int(c.R)}, side})
	}
	return nil
}
