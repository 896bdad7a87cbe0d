package hexabomb

import (
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// fromClient implements games.Game.FromClient: the initial state shows the whole map.
func fromClient(state []byte, players, specials int) (rules string, setup []byte, err error) {
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return "", nil, err
	}
	m := hexabomb.Map{Starts: make([][]hexgrid.Coord, players)}
	for _, c := range s.Cells {
		m.Cells = append(m.Cells, c.Coord)
	}
	for _, c := range s.Characters {
		switch id := int(c.Color.Player()); {
		case id < 0 || id >= players+specials:
		case id < specials:
			m.Specials = append(m.Specials, c.Coord)
		default:
			m.Starts[id-specials] = append(m.Starts[id-specials], c.Coord)
		}
	}
	setup = m.AppendJSON(nil)
	if s.Explosions == nil {
		return hexabomb.DraftRules, append([]byte(draftSetup), setup[len("{"):]...), nil
	}
	return hexabomb.Rules, setup, nil
}

// candidates implements games.Game.Candidates: each kind of action of the player's characters, with
// the middle range and delay for bombs.
func candidates(state []byte, player engine.PlayerID) (list []string) {
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return nil
	}
	for i := range s.Characters {
		c := &s.Characters[i]
		if c.Color != hexabomb.ColorOf(player) {
			continue
		}
		for _, d := range hexgrid.Dirs {
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%s"}`, c.ID, d))
		}
		list = append(list,
			fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":3,"bomb_delay":3}`, c.ID),
			fmt.Sprintf(`{"id":%d,"movement":"revive"}`, c.ID))
	}
	return list
}
