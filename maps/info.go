package maps

import "github.com/hexarena/hexarena/engine/hexabomb"

// CorridorDegree is the largest number of neighbours of a cell that counts as part of a
// corridor.
const CorridorDegree = 3

// Info describes a map to users who choose one.
type Info struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // one line; empty unless the map is shipped
	Players     int    `json:"players"`               // ordinary players
	Characters  int    `json:"characters"`            // per player
	Specials    int    `json:"specials"`              // characters of the hunter in sudden death
	Cells       int    `json:"cells"`
	// connected areas without cells that are surrounded by cells
	Holes int `json:"holes"`
	Parts int `json:"parts"` // connected parts of the board; should be 1
	// share of the cells with CorridorDegree neighbours or fewer, 0 to 1
	Corridors float64 `json:"corridors"`
}

// Describe measures a map. The Info gets the name, and the description of the shipped map
// with that name.
func Describe(name string, m *hexabomb.Map) Info {
	g := NewGraph(m.Cells)
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

// euler returns the number of parts minus the number of holes, computed as vertices minus
// edges plus triangles of the graph of neighbouring cells. The cost depends only on the number
// of cells, not on the area between them.
func euler(g *Graph) (n int) {
	for i := range g.cells {
		n++
		// Half of the directions, so that each edge is counted once.
		right, down, left := g.Near[i][0], g.Near[i][5], g.Near[i][4]
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
