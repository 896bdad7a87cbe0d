package maps

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Bounds of [Options].
const (
	MaxCharacters = 64     // of one player
	MaxCells      = 50_000 // of a generated board
)

// Options say what map to generate. What is 0 is chosen to suit the rest.
type Options struct {
	Players    int    // 1 to MaxPlayers; must be given
	Characters int    // of each player, 1 to MaxCharacters
	Specials   int    // special positions; -1 for none
	Cells      int    // about as many cells; the board has a few more or less
	Seed       uint64 // the same options give the same map on any machine
}

// Generate makes a connected board that is fair to its players. For 1, 2, 3, 4,
// 6 and 12 players, it is a hexagon with holes, symmetric so that all players
// have the same view; for other numbers, a corridor that closes to a ring, with
// a room of the same shape for every player at equal distances.
//
// The error names the option that is out of range and the range.
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

// complete checks the options and chooses those that were left open.
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
	// Room to step aside: every character has two cells or more beside its own.
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
		return o, fmt.Errorf("specials: %d cannot be placed fairly for %d players; give -1 for none or a multiple of %[2]d",
			o.Specials, o.Players)
	}
	return o, nil
}

// suitedCells is how many cells a player gets on a board that suits so many:
// every receiver is sent the whole board each turn, so large matches are played
// in narrow quarters.
func suitedCells(players int) int { return min(max(2400/players, 8), 60) }

func inRange(name string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s: %d is not in the range %d to %d", name, value, least, most)
	}
	return nil
}

// assemble makes a map of its parts, taking cells in any order. It goes through
// the format of files, so that whatever it returns can be loaded again.
func assemble(cells []hexgrid.Coord, starts [][]hexgrid.Coord, specials []hexgrid.Coord) (*hexabomb.Map, error) {
	raw := hexabomb.Map{Cells: cells, Starts: starts, Specials: specials}
	m, err := hexabomb.ParseMap(raw.AppendJSON(nil))
	if err != nil {
		return nil, fmt.Errorf("generated an unsound map: %w", err)
	}
	return m, nil
}
