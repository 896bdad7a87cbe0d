package hextictactoe

import (
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// View is a position in arrays, for programs that learn. Its owner makes the arrays.
type View struct {
	Cells  []int32 // q and r of cells where a piece may be placed, those next to pieces first
	Lines  []uint8 // of each of them, LineFields
	Count  []int32 // how many of them there are
	Pieces []int32 // q, r and side of the newest pieces, the newest first
	Placed []int32 // how many pieces there are, also of those that have no room

	game   *ByPiece
	pieces []Piece
	at     map[Coord]int32 // index in near
	near   []nearCell
	stones Board
	spiral []Coord
}

// LineFields is how many numbers a [View] has for a cell: for each of the three axes, for x and o,
// how many pieces of that side are in the best window with that cell. A window is as many cells of
// the axis as win, without a piece of the other side.
const LineFields = 2 * len(axes)

// nearCell is a cell near a piece.
type nearCell struct {
	Coord
	distance uint8 // from the nearest piece
	lines    [LineFields]uint8
}

// Show writes the position to v. It costs little if v has shown the position before it.
func (b *ByPiece) Show(v *View) {
	old := len(v.pieces)
	v.pieces = b.AppendPieces(v.pieces[:0])
	if v.game != b || old > len(v.pieces) {
		v.game, v.at, v.near, v.stones, old = b, map[Coord]int32{}, v.near[:0], Board{}, 0
		v.spiral = spiral(b.options.ViewDistance)
	}
	for _, p := range v.pieces[old:] {
		v.place(p, b.options)
	}
	v.list(b.options.ViewDistance)
	for i := range len(v.Pieces) / 3 {
		row := v.Pieces[3*i : 3*i+3]
		clear(row)
		if n := len(v.pieces) - 1 - i; n >= 0 {
			p := v.pieces[n]
			row[0], row[1], row[2] = int32(p.Q), int32(p.R), int32(p.Side)
		}
	}
	v.Placed[0] = int32(len(v.pieces))
}

// Index returns the index in Cells of the first piece of an answer. If it is on none of them, Index
// returns the number of cells for which there is room.
func (v *View) Index(in *engine.Input) int {
	room := len(v.Cells) / 2
	if in.Lapse != engine.Answered {
		return room
	}
	m, forfeit, _ := readMove(in)
	for i := range int(v.Count[0]) {
		c := Coord{Q: int(v.Cells[2*i]), R: int(v.Cells[2*i+1])}
		if forfeit == "" && c == m.Pieces[0] {
			return i
		}
	}
	return room
}

// spiral returns the cells within a distance of the origin, the nearest first.
func spiral(distance int) (list []Coord) {
	for q := -distance; q <= distance; q++ {
		for r := max(-distance, -q-distance); r <= min(distance, -q+distance); r++ {
			list = append(list, Coord{Q: q, R: r})
		}
	}
	slices.SortStableFunc(list, func(a, b Coord) int {
		return hexgrid.Distance(a, Coord{}) - hexgrid.Distance(b, Coord{})
	})
	return list
}

// place adds a piece, the cells near it, and what it changes in the lines of others.
func (v *View) place(p Piece, o Options) {
	v.stones.Place(p)
	win := o.WinDistance
	for _, d := range v.spiral {
		c := Coord{Q: p.Q + d.Q, R: p.R + d.R}
		distance := uint8(hexgrid.Distance(d, Coord{}))
		if i, ok := v.at[c]; ok {
			v.near[i].distance = min(v.near[i].distance, distance)
		} else if OnBoard(c) {
			v.at[c] = int32(len(v.near))
			v.near = append(v.near, nearCell{Coord: c, distance: distance})
			for axis := range axes {
				if o.ViewDistance < win-1 { // else it shares no window with older pieces
					v.count(&v.near[len(v.near)-1], axis, win)
				}
			}
		}
	}
	for axis, d := range axes {
		for _, to := range []hexgrid.Dir{d, d.Opposite()} {
			c := p.Coord
			for range win - 1 {
				c = c.Step(to)
				if i, ok := v.at[c]; ok {
					v.count(&v.near[i], axis, win)
				}
			}
		}
	}
}

// count sets the lines of a cell on an axis.
func (v *View) count(n *nearCell, axis, win int) {
	c := n.Coord
	for range win - 1 {
		c = c.Step(axes[axis].Opposite())
	}
	var best, pieces [2]int
	var window [2 * MaxDistance]Side
	for i := range 2*win - 1 {
		if s := v.stones.At(c); s != None {
			window[i] = s
			pieces[s-X]++
		}
		if i >= win && window[i-win] != None {
			pieces[window[i-win]-X]--
		}
		if i >= win-1 {
			for side := range best {
				if pieces[1-side] == 0 {
					best[side] = max(best[side], pieces[side])
				}
			}
		}
		c = c.Step(axes[axis])
	}
	n.lines[2*axis], n.lines[2*axis+1] = uint8(best[0]), uint8(best[1])
}

// list writes the cells by their distance from the nearest piece, and then by age.
func (v *View) list(view int) {
	room, n := len(v.Cells)/2, 0
	for distance := 1; distance <= view && n < room; distance++ {
		for i := range v.near {
			c := &v.near[i]
			if int(c.distance) != distance || n == room {
				continue
			}
			v.Cells[2*n], v.Cells[2*n+1] = int32(c.Q), int32(c.R)
			copy(v.Lines[n*LineFields:], c.lines[:])
			n++
		}
	}
	clear(v.Cells[2*n:])
	clear(v.Lines[n*LineFields:])
	v.Count[0] = int32(n)
	if v.game.over {
		v.Count[0] = 0
	}
}
