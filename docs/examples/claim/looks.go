package claim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

// owners returns the player that owns each cell of a state, -1 for none.
func owners(state []byte) ([]int, error) {
	var s struct{ Owners []int }
	err := json.Unmarshal(state, &s)
	return s.Owners, err
}

// draw implements games.Game.Draw: pictures show the cells in a row, in the colors of their owners.
func draw(m *games.Match, last []byte, o picture.Options) (picture.Drawing, error) {
	read := func(state []byte) (c picture.Cells, err error) {
		list, err := owners(state)
		for i, owner := range list {
			c.Board = append(c.Board, picture.Cell{Coord: hexgrid.Coord{Q: i}, Player: owner})
		}
		return c, err
	}
	return picture.NewCells("claim", last, read,
		picture.Match{Names: m.Names, Specials: m.Specials, Turns: m.Turns}, o)
}

// text implements games.Game.Text: a letter for each owner, and a dot for a free cell.
func text(_ *games.Match, state []byte) (string, error) {
	list, err := owners(state)
	var b strings.Builder
	for _, owner := range list {
		b.WriteString(letter(owner))
	}
	return b.String() + "\nA, B, … are the players; . is a free cell\n", err
}

func letter(owner int) string {
	if owner < 0 {
		return "."
	}
	return string(rune('A' + owner))
}

// terminal implements games.Terminal, and so says how a match looks while it is played.
type terminal struct{ cells, players int }

func newTerminal(m *games.Match) (games.Terminal, error) {
	var s setup
	err := json.Unmarshal(m.Setup, &s)
	return terminal{s.Cells, len(m.Names)}, err
}

// Cells implements games.Terminal.
func (t terminal) Cells() (list []hexgrid.Coord) {
	for i := range t.cells {
		list = append(list, hexgrid.Coord{Q: i})
	}
	return list
}

// Screen implements games.Terminal.
func (t terminal) Screen(state []byte) (games.Screen, error) {
	list, err := owners(state)
	if err == nil && len(list) != t.cells {
		err = fmt.Errorf("claim: %d owners of %d cells", len(list), t.cells)
	}
	return screen{list, t.players}, err
}

// screen implements games.Screen.
type screen struct {
	owners  []int
	players int
}

// Tile implements games.Screen.
func (s screen) Tile(i int, _ games.TileOptions) games.Tile {
	tile := games.Tile{Text: letter(s.owners[i])}
	tile.Background, tile.Ground = maps.DarkTheme.Free, maps.DarkTheme.Free
	if owner := s.owners[i]; owner >= 0 {
		look := maps.PlayerLook(owner)
		tile.Foreground, tile.Background, tile.Ground = look.Ink, look.Dark.Fill, look.Dark.Fill
	}
	return tile
}

// Standings implements games.Screen.
func (s screen) Standings() []games.Standing {
	list := make([]games.Standing, s.players)
	for id := range list {
		list[id] = games.Standing{Tag: letter(id), Look: maps.PlayerLook(id)}
	}
	for _, owner := range s.owners {
		if owner >= 0 {
			list[owner].Cells++
			list[owner].Score++
		}
	}
	for id := range list {
		list[id].Account = fmt.Sprintf("%d cells", list[id].Cells)
	}
	return list
}
