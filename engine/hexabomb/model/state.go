package model

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Board is a board with the starting positions of its players. Its fields are those of
// hexabomb.Map.
type Board struct {
	Cells    []hexgrid.Coord
	Starts   [][]hexgrid.Coord
	Specials []hexgrid.Coord
}

// Color is a player's ID plus one, or 0 for neutral.
type Color int32

// State is a game state that encoding/json writes in the form that clients read.
type State struct {
	Cells      []Cell                    `json:"cells"`
	Characters []Character               `json:"characters"`
	Bombs      []Bomb                    `json:"bombs"`
	Explosions map[Color][]hexgrid.Coord `json:"explosions,omitzero"`
	CellCount  map[engine.PlayerID]int   `json:"cell_count"`
	Score      map[engine.PlayerID]int   `json:"score"`
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
	ReviveDelay int  `json:"revive_delay"`
	BombCount   *int `json:"bomb_count,omitempty"` // nil by the draft rules
}

// Bomb is a bomb that has not exploded yet.
type Bomb struct {
	Color Color `json:"color"`
	Range int   `json:"range"`
	Delay int   `json:"delay"`
	hexgrid.Coord
}
