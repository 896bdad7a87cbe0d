package hexabomb

import (
	"encoding/json"
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Color is the colour of a cell, a character or a bomb: 0 is neutral, any other is the
// owner's player ID plus one.
type Color int32

// ColorOf returns p's colour.
func ColorOf(p engine.PlayerID) Color { return Color(p) + 1 }

// Player returns the player with that colour, engine.NoPlayer for neutral.
func (c Color) Player() engine.PlayerID { return engine.PlayerID(c) - 1 }

// State is a game state in the form that clients read.
type State struct {
	Cells      []Cell      `json:"cells"`      // by q, then r
	Characters []Character `json:"characters"` // by id
	Bombs      []Bomb      `json:"bombs"`      // in the order in which they were dropped

	// Explosions holds the cells that exploded in the last turn, by q, then r. It is nil by the
	// draft rules.
	Explosions map[Color][]hexgrid.Coord `json:"explosions,omitzero"`

	CellCount map[engine.PlayerID]int `json:"cell_count"`
	Score     map[engine.PlayerID]int `json:"score"`
}

// Cell is one cell of the board.
type Cell struct {
	hexgrid.Coord
	Color Color `json:"color"`
}

// Character is one character of a player.
type Character struct {
	ID    int32 `json:"id"`
	Color Color `json:"color"`
	hexgrid.Coord
	Alive       bool `json:"alive"`
	ReviveDelay int  `json:"revive_delay"`         // turns until it may revive; -1 while alive
	BombCount   *int `json:"bomb_count,omitempty"` // bombs that it holds; nil by the draft rules
}

// Bomb is a bomb that has not exploded yet.
type Bomb struct {
	Color Color `json:"color"`
	Range int   `json:"range"` // the reach of its explosion in each direction, in cells
	Delay int   `json:"delay"` // turns until it explodes
	hexgrid.Coord
}

// ParseState parses a game state.
func ParseState(data []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("hexabomb state: %w", err)
	}
	return &s, nil
}
