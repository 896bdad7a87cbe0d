package maps

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Limits of [Options].
const (
	MaxCharacters = 64     // of one player
	MaxCells      = 50_000 // of a generated board
)

// Options configure a generated map. Fields that are 0 are chosen to suit the others.
type Options struct {
	Players    int    // 1 to MaxPlayers; required
	Characters int    // of each player, 1 to MaxCharacters
	Specials   int    // special positions; -1 for none
	Cells      int    // the approximate number of cells
	Seed       uint64 // equal options give the same map on every machine
}

// Generate returns a connected board that is fair to its players. For 1, 2, 3, 4, 6 and 12
// players it is a hexagon with holes, symmetric so that all players have the same view. For
// other numbers it is a closed corridor with a room of the same shape for every player at
// equal distances.
//
// An error names the option that is out of range and the range.
func Generate(o Options) (*hexabomb.Map, error) {
	group, symmetric := groups[o.Players]
	o, err := o.complete(symmetric)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, uint64(o.Players)))
	if symmetric {
		return generateSymmetric(o, group, rng)
	}
	return generateRing(o, rng)
}

// complete checks the options and fills in those that are 0.
func (o Options) complete(symmetric bool) (Options, error) {
	if err := inRange("players", o.Players, 1, MaxPlayers); err != nil {
		return o, err
	}
	if o.Characters == 0 {
		o.Characters = min(4, suitedCells(o.Players)/8)
	}
	if err := inRange("characters", o.Characters, 1, MaxCharacters); err != nil {
		return o, err
	}
	// Room to move: there are two or more free cells for every character.
	least := o.Players * max(3*o.Characters, 7)
	if o.Cells == 0 {
		o.Cells = max(o.Players*suitedCells(o.Players), least)
	}
	if err := inRange("cells", o.Cells, least, MaxCells); err != nil {
		return o, fmt.Errorf("%w for %d players with %d characters", err, o.Players, o.Characters)
	}
	if o.Specials == 0 {
		o.Specials = o.Players
		if symmetric {
			o.Specials *= max(1, o.Cells/(40*o.Players))
		}
	}
	if err := inRange("specials", o.Specials, -1, max(o.Players, o.Cells/8)); err != nil {
		return o, fmt.Errorf("%w for %d cells", err, o.Cells)
	}
	o.Specials = max(o.Specials, 0)
	if !symmetric && o.Specials%o.Players != 0 {
		return o, fmt.Errorf("specials: %d cannot be placed fairly for %d players; give -1 for none or "+
			"a multiple of %[2]d",
			o.Specials, o.Players)
	}
	return o, nil
}

// suitedCells returns the number of cells per player of a board for that many players: every
// client receives the whole board each turn, so boards for many players have fewer cells each.
func suitedCells(players int) int { return min(max(2400/players, 8), 60) }

func inRange(name string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s: %d is not in the range %d to %d", name, value, least, most)
	}
	return nil
}

// assemble makes a map of its parts; the cells may be in any order. It encodes and parses the
// map, so that every generated map can be loaded again.
func assemble(
	cells []hexgrid.Coord, starts [][]hexgrid.Coord, specials []hexgrid.Coord,
) (*hexabomb.Map, error) {
	raw := hexabomb.Map{Cells: cells, Starts: starts, Specials: specials}
	m, err := hexabomb.ParseMap(raw.AppendJSON(nil))
	if err != nil {
		return nil, fmt.Errorf("the generated map is invalid: %w", err)
	}
	return m, nil
}
