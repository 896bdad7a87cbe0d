package maps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// groups maps the numbers of players that a symmetric board can serve to a group of as
// many motions about the origin.
var groups = map[int][]motion{
	1: turns(1),
	2: turns(2),
	3: turns(3),
	// the symmetries of a rectangle
	4:  {{}, {turns: 3}, {mirrored: true, turns: 1}, {mirrored: true, turns: 4}},
	6:  turns(6),
	12: pointMotions(),
}

// turns returns the group of n rotations by equal angles.
func turns(n int) (group []motion) {
	for i := range n {
		group = append(group, motion{turns: i * hexgrid.NumDirs / n})
	}
	return group
}

// symmetricBoard is a board under construction that stays invariant under a group: a full
// hexagon from which cells are removed.
type symmetricBoard struct {
	group []motion
	rng   *rand.Rand
	full  *Graph
	gone  []bool // removed cells, by index in full
	left  int    // the number of remaining cells
}

func generateSymmetric(o Options, group []motion, rng *rand.Rand) (m *hexabomb.Map, err error) {
	// Some homes leave too few cells to a player, so try several.
	for range 10 {
		if m, err = drawSymmetric(o, group, rng); err == nil {
			break
		}
	}
	return m, err
}

func drawSymmetric(o Options, group []motion, rng *rand.Rand) (*hexabomb.Map, error) {
	// A quarter of the hexagon will become holes and bays.
	radius := 1
	for 1+3*radius*(radius+1) < o.Cells+o.Cells/3 {
		radius++
	}
	b := &symmetricBoard{group: group, rng: rng, full: NewGraph(disc(radius))}
	b.left = len(b.full.cells)
	b.gone = make([]bool, b.left)
	home := b.chooseHome(radius)
	b.erode(o.Cells, home)

	g := NewGraph(b.remaining())
	starts, err := b.settle(g, home, o.Characters)
	if err != nil {
		return nil, err
	}
	specials, err := b.placeSpecials(g, starts, o.Specials)
	if err != nil {
		return nil, err
	}
	return assemble(g.cells, starts, specials)
}

// disc returns the cells within radius of the origin.
func disc(radius int) (cells []hexgrid.Coord) {
	for q := -radius; q <= radius; q++ {
		for r := max(-radius, -q-radius); r <= min(radius, radius-q); r++ {
			cells = append(cells, hexgrid.Coord{Q: q, R: r})
		}
	}
	return cells
}

func (b *symmetricBoard) remaining() (cells []hexgrid.Coord) {
	for i, c := range b.full.cells {
		if !b.gone[i] {
			cells = append(cells, c)
		}
	}
	return cells
}

// chooseHome draws the first player's home: near the edge, and nearly as far from its
// images under the group as possible.
func (b *symmetricBoard) chooseHome(radius int) hexgrid.Coord {
	var homes []hexgrid.Coord
	best := 0
	inner := disc(max(radius-1, 1))
	for _, c := range inner {
		best = max(best, b.apart(c))
	}
	for _, c := range inner {
		if b.apart(c)*10 >= best*8 {
			homes = append(homes, c)
		}
	}
	return homes[b.rng.IntN(len(homes))]
}

// apart returns the distance from c to its nearest image under the group, other than c.
func (b *symmetricBoard) apart(c hexgrid.Coord) int {
	least := math.MaxInt32
	for _, m := range b.group[1:] {
		least = min(least, hexgrid.Distance(c, m.apply(c)))
	}
	return least
}

// erode removes whole orbits of small patches until that many cells are left or nothing
// more can be removed.
func (b *symmetricBoard) erode(cells int, home hexgrid.Coord) {
	for tries := 0; b.left > cells && tries < 100; tries++ {
		var taken []int32
		for _, c := range b.patch(cells) {
			for _, m := range b.group {
				i := b.full.At(m.apply(c))
				if i != none && !b.gone[i] && !b.nearHome(b.full.cells[i], home) {
					taken = append(taken, i)
					b.gone[i] = true
				}
			}
		}
		b.left -= len(taken)
		if len(taken) > 0 && b.sound() {
			tries = 0
			continue
		}
		b.left += len(taken)
		for _, i := range taken {
			b.gone[i] = false
		}
	}
}

// patch draws a connected patch; patches are larger on larger boards, so that every board
// has at most a few dozen holes.
func (b *symmetricBoard) patch(cells int) []hexgrid.Coord {
	most := max(5, cells/(40*len(b.group)))
	places := []hexgrid.Coord{b.full.cells[b.rng.IntN(len(b.full.cells))]}
	for range b.rng.IntN(most) {
		c := places[b.rng.IntN(len(places))]
		places = append(places, c.Step(hexgrid.Dir(b.rng.IntN(hexgrid.NumDirs))))
	}
	return places
}

func (b *symmetricBoard) nearHome(c, home hexgrid.Coord) bool {
	for _, m := range b.group {
		if hexgrid.Distance(c, m.apply(home)) <= 1 {
			return true
		}
	}
	return false
}

// sound reports whether the board is connected and has no dead ends.
func (b *symmetricBoard) sound() bool {
	seen := slices.Clone(b.gone)
	first := slices.Index(seen, false)
	if first == none {
		return false
	}
	seen[first] = true
	queue := []int32{int32(first)}
	for head := 0; head < len(queue); head++ {
		ways := 0
		for _, j := range b.full.Near[queue[head]] {
			if j == none || b.gone[j] {
				continue
			}
			ways++
			if !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
		if ways < 2 {
			return false
		}
	}
	return len(queue) == b.left
}

// settle places the characters of each player on the cells nearest to its home, except
// cells that are as near to another home.
func (b *symmetricBoard) settle(
	g *Graph, home hexgrid.Coord, characters int,
) ([][]hexgrid.Coord, error) {
	var homes []int32
	for _, m := range b.group {
		homes = append(homes, g.At(m.apply(home)))
	}
	own, others := newWalk(g), newWalk(g)
	own.from(homes[0])
	others.from(homes[1:]...)
	starts := make([][]hexgrid.Coord, len(b.group))
	for _, i := range own.queue {
		if len(starts[0]) == characters {
			break
		}
		if others.dist[i] != none && others.dist[i] <= own.dist[i] {
			continue
		}
		for p, m := range b.group {
			starts[p] = append(starts[p], m.apply(g.cells[i]))
		}
	}
	if len(starts[0]) < characters {
		return nil, fmt.Errorf("cells: too few for %d characters per player; use more cells", characters)
	}
	return starts, nil
}

// placeSpecials chooses special positions, in whole orbits: each as far as possible from the
// starting positions, from those already chosen and from each other. Positions with small
// orbits, which some motions leave fixed, are kept for the remainder at the end.
func (b *symmetricBoard) placeSpecials(
	g *Graph, starts [][]hexgrid.Coord, count int,
) (specials []hexgrid.Coord, err error) {
	w := newWalk(g)
	w.from()
	for _, list := range starts {
		w.extend(g.indices(list)...)
	}
	for len(specials) < count {
		var best []hexgrid.Coord
		farthest := int32(0)
		left := count - len(specials)
		for i, c := range g.cells {
			if w.dist[i] <= farthest {
				continue
			}
			places := orbit(b.group, c)
			if len(places) > left || len(places) < len(b.group) && left >= len(b.group) {
				continue
			}
			if far := min(w.dist[i], closest(places)); far > farthest {
				best, farthest = places, far
			}
		}
		if best == nil {
			return nil, fmt.Errorf("specials: %d cannot be placed fairly for %d players; give -1 for none "+
				"or a multiple of %[2]d",
				count, len(b.group))
		}
		specials = append(specials, best...)
		w.extend(g.indices(best)...)
	}
	return specials, nil
}

// closest returns the least distance from the first of some places to another one.
func closest(places []hexgrid.Coord) int32 {
	least := math.MaxInt32
	for _, c := range places[1:] {
		least = min(least, hexgrid.Distance(places[0], c))
	}
	return int32(least)
}
