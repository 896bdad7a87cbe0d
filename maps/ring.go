package maps

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// A ring is a closed corridor, one cell wide, with rooms of one shape beside it, each of
// which touches it only at one door: two adjacent cells of the corridor. The doors are
// equally spaced. Walking along the corridor, the ring therefore looks the same from
// every room, whatever bends the corridor has; that makes it fair.
//
// The bends come from a wall, laid out as a spiral: the corridor consists of the cells at
// a fixed distance from it. A wall that is one cell longer makes the corridor two cells
// longer, as long as it turns by at most 60° and does not come close to itself.
type ring struct {
	stride   int                    // cells between the first cells of two doors
	corridor []hexgrid.Coord        // in walking order
	doors    []int                  // index in corridor of the first cell of each door
	rooms    [][]hexgrid.Coord      // starting with the porch, which touches the door
	taken    map[hexgrid.Coord]bool // the corridor and the rooms placed so far
}

func generateRing(o Options, rng *rand.Rand) (*hexabomb.Map, error) {
	perPlayer := o.Specials / o.Players
	// About a third of a player's share, but long enough to place its special positions between the
	// doors. The stride is even, so that some length of the wall fits.
	stride := max(4, 2*(o.Cells/o.Players/6), 2*((perPlayer+3)/2))
	plan := roomPlan(rng, max(o.Cells/o.Players-stride, o.Characters+2), stride)
	r, err := layRing(o.Players, stride, plan, rng)
	if err != nil {
		return nil, err
	}
	cells := slices.Clone(r.corridor)
	var starts [][]hexgrid.Coord
	var specials []hexgrid.Coord
	deep := deepest(plan, o.Characters)
	for i, room := range r.rooms {
		cells = append(cells, room...)
		var start []hexgrid.Coord
		for _, j := range deep {
			start = append(start, room[j])
		}
		starts = append(starts, start)
		for s := range perPlayer {
			behind := 1 + (s+1)*r.stride/(perPlayer+1)
			specials = append(specials, r.corridor[(r.doors[i]+behind)%len(r.corridor)])
		}
	}
	return assemble(cells, starts, specials)
}

// layRing builds the tightest ring with room for all rooms, or a longer one if the rooms
// would touch.
func layRing(players, stride int, plan []hexgrid.Coord, rng *rand.Rand) (*ring, error) {
	first := hexgrid.Dir(rng.IntN(hexgrid.NumDirs))
	height := 0
	for _, c := range plan {
		height = max(height, -c.R)
	}
	for most := 2*stride + 8; stride <= most; stride += 2 {
		for reach := max(3, height/2+1); reach < height+4; reach++ {
			// A straight wall of n cells has 2n + 6·reach - 2 cells around it.
			n := players*stride/2 - 3*reach + 1
			if n < 1 {
				break
			}
			corridor, ok := around(wall(n, reach, first), reach)
			if !ok || len(corridor) != players*stride {
				continue
			}
			for _, offset := range rng.Perm(stride) {
				if r, ok := furnish(corridor, offset, stride, plan, rng); ok {
					return r, nil
				}
			}
		}
	}
	return nil, fmt.Errorf(
		"cells: found no ring of rooms for %d players; use fewer cells or characters", players)
}

// wall returns n cells of a hexagonal spiral. Between its windings there is room for
// twice the reach of both sides.
func wall(n, reach int, d hexgrid.Dir) []hexgrid.Coord {
	cells := []hexgrid.Coord{{}}
	growth := (4*reach + 5) / 6 // of each side; six times that are between windings
	for side := 2 * reach; len(cells) < n; side += growth {
		for range min(side, n-len(cells)) {
			cells = append(cells, cells[len(cells)-1].Step(d))
		}
		d = (d + 1) % hexgrid.NumDirs
	}
	return cells
}

// around returns the cells at that distance from the wall, in walking order; ok is false
// if they do not form one ring without short cuts.
func around(wall []hexgrid.Coord, distance int) (cells []hexgrid.Coord, ok bool) {
	seen := map[hexgrid.Coord]bool{}
	for _, c := range wall {
		seen[c] = true
	}
	for range distance {
		cells = nil
		for _, c := range wall {
			for _, d := range hexgrid.Dirs {
				if to := c.Step(d); !seen[to] {
					seen[to] = true
					cells = append(cells, to)
				}
			}
		}
		wall = cells
	}
	g := NewGraph(cells)
	walk := []hexgrid.Coord{cells[0]}
	for at, before := int32(0), int32(none); ; {
		if g.degree(at) != 2 {
			return nil, false
		}
		next := slices.IndexFunc(g.Near[at][:], func(j int32) bool { return j != none && j != before })
		at, before = g.Near[at][next], at
		if at == 0 {
			return walk, len(walk) == len(cells)
		}
		walk = append(walk, cells[at])
	}
}

// roomPlan draws a random shape of a room for a door whose first cell is the origin and
// whose second is to the right: the porch above both, then cells further up, compact and
// hardly wider than the distance between doors.
func roomPlan(rng *rand.Rand, size, stride int) []hexgrid.Coord {
	plan := []hexgrid.Coord{{Q: 1, R: -1}}
	for len(plan) < size {
		c := plan[rng.IntN(len(plan))].Step(hexgrid.Dir(rng.IntN(hexgrid.NumDirs)))
		column := 2*c.Q + c.R - 1 // in half cells, from the centre of the door
		if c.R > -2 || slices.Contains(plan, c) || column < -stride || column > stride {
			continue
		}
		// A cell with one neighbour in the room is a spike; few are wanted.
		if neighbours(plan, c) > 1 || len(plan) < 3 || rng.IntN(8) == 0 {
			plan = append(plan, c)
		}
	}
	return plan
}

func neighbours(cells []hexgrid.Coord, c hexgrid.Coord) (n int) {
	for _, d := range hexgrid.Dirs {
		if slices.Contains(cells, c.Step(d)) {
			n++
		}
	}
	return n
}

// deepest returns the indices of the count cells of a room that are farthest from its door.
func deepest(plan []hexgrid.Coord, count int) []int {
	w := newWalk(NewGraph(plan))
	w.from(0)
	var list []int
	for _, i := range w.queue[len(w.queue)-count:] {
		list = append(list, int(i))
	}
	return list
}

// furnish adds a room at every stride-th cell of the corridor, on a random side if both
// have space; ok is false if one of the rooms fits on neither side.
func furnish(
	corridor []hexgrid.Coord, offset, stride int, plan []hexgrid.Coord, rng *rand.Rand,
) (r *ring, ok bool) {
	r = &ring{stride: stride, corridor: corridor, taken: map[hexgrid.Coord]bool{}}
	for _, c := range corridor {
		r.taken[c] = true
	}
	for door := offset; door < len(corridor); door += stride {
		if !r.addRoom(door, plan, rng) {
			return nil, false
		}
	}
	return r, true
}

// addRoom adds a room at a door, to the left or right of the corridor, mirrored or not.
func (r *ring) addRoom(door int, plan []hexgrid.Coord, rng *rand.Rand) bool {
	a, b := r.corridor[door], r.corridor[(door+1)%len(r.corridor)]
	along := motion{shift: a}
	for (hexgrid.Coord{}).Step(hexgrid.Dir(along.turns)) != b.Sub(a) {
		along.turns++
	}
	back := motion{turns: (along.turns + 3) % hexgrid.NumDirs, shift: b}
	flipped := func(m motion) motion { // exchanges the sides of the corridor
		return motion{mirrored: true, turns: (m.turns + 1) % hexgrid.NumDirs, shift: m.shift}
	}
	ways := [...]motion{along, back, flipped(along), flipped(back)}
	for _, way := range rng.Perm(len(ways)) {
		m := ways[way]
		room := make([]hexgrid.Coord, len(plan))
		for i, c := range plan {
			room[i] = m.apply(c)
		}
		if r.fits(room, a, b) {
			for _, c := range room {
				r.taken[c] = true
			}
			r.doors = append(r.doors, door)
			r.rooms = append(r.rooms, room)
			return true
		}
	}
	return false
}

// fits reports whether a room touches nothing, except its porch the door.
func (r *ring) fits(room []hexgrid.Coord, a, b hexgrid.Coord) bool {
	for i, c := range room {
		if r.taken[c] {
			return false
		}
		for _, d := range hexgrid.Dirs {
			if near := c.Step(d); r.taken[near] && (i > 0 || near != a && near != b) {
				return false
			}
		}
	}
	return true
}
