package maps

import (
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// motion moves the whole grid onto itself: perhaps a mirroring, then turns of
// 60° to the left, both about the origin, then a shift.
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

// pointMotions are the twelve motions that leave the origin where it is; the
// first one changes nothing.
func pointMotions() (all []motion) {
	for _, mirrored := range []bool{false, true} {
		for turns := range hexgrid.NumDirs {
			all = append(all, motion{mirrored: mirrored, turns: turns})
		}
	}
	return all
}

// orbit is c and the places to which a group of motions brings it, each once,
// in the order of the motions.
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

// boardMotions are the motions that bring the board onto itself. Each of them
// leaves the centre of gravity where it is, which gives its shift away.
func boardMotions(g *graph) (found []motion) {
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

func keeps(g *graph, m motion) bool {
	for _, c := range g.cells {
		if g.at(m.apply(c)) == none {
			return false
		}
	}
	return true
}

// permutation is the player onto whose starts m brings each player's; ok is
// false unless all starts and all special positions come onto such again.
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
