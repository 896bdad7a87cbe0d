package maps

import (
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// motion maps the whole grid onto itself: an optional reflection and rotations by 60° to
// the left, both about the origin, then a translation.
type motion struct {
	mirrored bool
	turns    int // 0 to 5
	shift    hexgrid.Coord
}

func (m motion) apply(c hexgrid.Coord) hexgrid.Coord {
	if m.mirrored {
		c = c.Mirror()
	}
	for range m.turns {
		c = c.RotateLeft()
	}
	return c.Add(m.shift)
}

// pointMotions returns the twelve motions that fix the origin, identity first.
func pointMotions() (all []motion) {
	for _, mirrored := range []bool{false, true} {
		for turns := range hexgrid.NumDirs {
			all = append(all, motion{mirrored: mirrored, turns: turns})
		}
	}
	return all
}

// orbit returns c and its images under a group of motions, each once, in the order of the motions.
func orbit(group []motion, c hexgrid.Coord) (places []hexgrid.Coord) {
	seen := map[hexgrid.Coord]bool{}
	for _, m := range group {
		if to := m.apply(c); !seen[to] {
			seen[to] = true
			places = append(places, to)
		}
	}
	return places
}

// boardMotions returns the motions that map the board onto itself. They fix its centre of
// gravity, which determines the translation.
func boardMotions(g *Graph) (found []motion) {
	var sum hexgrid.Coord
	for _, c := range g.cells {
		sum = sum.Add(c)
	}
	n := max(len(g.cells), 1)
	for _, m := range pointMotions() {
		drift := sum.Sub(m.apply(sum))
		m.shift = hexgrid.Coord{Q: drift.Q / n, R: drift.R / n}
		if m.shift.Scale(n) == drift && keeps(g, m) {
			found = append(found, m)
		}
	}
	return found
}

func keeps(g *Graph, m motion) bool {
	for _, c := range g.cells {
		if g.At(m.apply(c)) == none {
			return false
		}
	}
	return true
}

// permutation returns the player whose starting positions are the image of each player's;
// ok is false unless m maps all starting positions and all special positions to such
// positions.
func permutation(m motion, game *hexabomb.Map, owner map[hexgrid.Coord]int) (to []int, ok bool) {
	for _, c := range game.Specials {
		if who, taken := owner[m.apply(c)]; !taken || who != none {
			return nil, false
		}
	}
	to = make([]int, len(game.Starts))
	for p, starts := range game.Starts {
		for i, c := range starts {
			who, taken := owner[m.apply(c)]
			if !taken || who == none || i > 0 && who != to[p] {
				return nil, false
			}
			to[p] = who
		}
	}
	return to, true
}
