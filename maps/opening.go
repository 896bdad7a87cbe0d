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
// match; those of the special player have their own and own no cells.
func Opening(m *hexabomb.Map) (state []byte, specials int) {
	s := hexabomb.State{CellCount: map[engine.PlayerID]int{}}
	place := func(player engine.PlayerID, first int, cells []hexgrid.Coord) {
		for i, at := range cells {
			s.Characters = append(s.Characters, hexabomb.Character{
				ID: int32(first + i), Color: hexabomb.ColorOf(player), Coord: at, Alive: true,
			})
		}
	}
	if len(m.Specials) > 0 {
		specials = 1
		place(0, 0, m.Specials)
	}
	owner := map[hexgrid.Coord]hexabomb.Color{}
	id := 0
	for i, cells := range m.Starts {
		player := engine.PlayerID(specials + i)
		place(player, id, cells)
		id += len(cells)
		s.CellCount[player] = len(cells)
		for _, at := range cells {
			owner[at] = hexabomb.ColorOf(player)
		}
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
