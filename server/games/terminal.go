package games

import (
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// Terminal says how the states of one match look on a text terminal: on a board of
// hexagonal cells, which all states have in common.
type Terminal interface {
	// Cells returns the cells of the board. Their indices number the tiles of a Screen.
	Cells() []hexgrid.Coord
	// Screen returns how a state looks.
	Screen(state []byte) (Screen, error)
}

// Screen is one state as a terminal shows it.
type Screen interface {
	// Tile returns how the i-th cell looks.
	Tile(i int, o TileOptions) Tile
	// Standings returns the players by id.
	Standings() []Standing
}

// TileOptions say what a terminal can show.
type TileOptions struct {
	Large   bool // a tile has a second line
	Plain   bool // there are no colors: the text must say everything
	Letters bool // the text of a cell names its owner
	Flat    bool // all cells of an owner have the same color
}

// Tile is how a cell looks.
type Tile struct {
	Text, Under string // two columns each; the second line is for a large tile only
	Bold        bool

	Foreground, Background maps.Color
	Ground                 maps.Color // of the cell around the text
	Raised                 bool       // the text stands on the cell and leaves its rim visible
}

// Standing is what a terminal shows of a player beside the board.
type Standing struct {
	Tag     string // letters that name the player on the board
	Look    maps.Look
	Special bool
	Score   int
	Cells   int    // owned by the player
	Account string // what the player has, such as "12 cells  3/7 alive"
}
