package maps

import (
	"encoding/json"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Game is the name of the game that the maps are for.
const Game = "hexabomb"

// Opening returns a map as the state of a match on it before the first turn, with the
// number of its special players. The players' characters have the numbers of a classical
// match; those of the special player, if the map has any, have their own.
func Opening(m *hexabomb.Map) (state []byte, specials int) {
	s := hexabomb.State{
		Score: map[engine.PlayerID]int{}, CellCount: map[engine.PlayerID]int{},
		Explosions: map[hexabomb.Color][]hexgrid.Coord{},
	}
	owner := map[hexgrid.Coord]hexabomb.Color{}
	place := func(player engine.PlayerID, first int, cells []hexgrid.Coord) {
		color := hexabomb.ColorOf(player)
		for i, at := range cells {
			owner[at] = color
			s.Characters = append(s.Characters, hexabomb.Character{ID: int32(first + i), Color: color, Coord: at, Alive: true})
		}
		s.Score[player], s.CellCount[player] = 0, len(cells)
	}
	if len(m.Specials) > 0 {
		specials = 1
		place(0, 0, m.Specials)
	}
	id := 0
	for p, cells := range m.Starts {
		place(engine.PlayerID(specials+p), id, cells)
		id += len(cells)
	}
	for _, at := range m.Cells {
		s.Cells = append(s.Cells, hexabomb.Cell{Coord: at, Color: owner[at]})
	}
	state, err := json.Marshal(s)
	if err != nil {
		panic(err) // a State has nothing that cannot be written
	}
	return state, specials
}
