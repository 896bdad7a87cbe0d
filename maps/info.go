package maps

import "github.com/hexarena/hexarena/engine/hexabomb"

// CorridorDegree is the greatest number of neighbours of a cell that counts as
// part of a corridor.
const CorridorDegree = 3

// Info is what one wants to know of a map before choosing it.
type Info struct {
	Name        string
	Description string // one line; empty for maps that are not shipped
	Players     int    // ordinary players
	Characters  int    // of each player
	Specials    int    // characters of the special player in sudden death
	Cells       int
	Holes       int     // places without cells that cells surround, connected ones counted once
	Parts       int     // parts of the board that no way connects; 1 is what one wants
	Corridors   float64 // share of the cells with CorridorDegree neighbours or fewer, 0 to 1
}

// Describe measures a map. The name is put into the Info, and the description
// that the shipped map of that name has.
func Describe(name string, m *hexabomb.Map) Info {
	g := newGraph(m.Cells)
	info := Info{
		Name:        name,
		Description: descriptionOf(name),
		Players:     len(m.Starts),
		Specials:    len(m.Specials),
		Cells:       len(m.Cells),
		Parts:       len(g.parts()),
	}
	if info.Players > 0 {
		info.Characters = len(m.Starts[0])
	}
	narrow := 0
	for i := range g.cells {
		if g.degree(int32(i)) <= CorridorDegree {
			narrow++
		}
	}
	info.Corridors = float64(narrow) / float64(max(info.Cells, 1))
	info.Holes = info.Parts - euler(g)
	return info
}

// euler is the number of parts less the number of holes: with the centres of
// neighbouring cells joined, corners less edges plus triangles. It costs the
// same however far apart the cells lie.
func euler(g *graph) (n int) {
	for i := range g.cells {
		n++
		// Half of the directions, so that each edge counts once.
		right, down, left := g.near[i][0], g.near[i][5], g.near[i][4]
		for _, j := range [...]int32{right, down, left} {
			if j != none {
				n--
			}
		}
		if right != none && down != none {
			n++
		}
		if down != none && left != none {
			n++
		}
	}
	return n
}
