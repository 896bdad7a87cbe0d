package picture

import (
	"fmt"
	"image"
	"math"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// layout holds the position of a board's cells on an image. Centres are on whole pixels, so that
// one sprite fits all cells; the cells are slightly distorted for that.
type layout struct {
	lattice
	cells     []hexgrid.Coord
	index     map[hexgrid.Coord]int32
	neighbors [][6]int32 // in the order of edges; -1 if there is none
	middles   []image.Point
	size      image.Point
	strip     int       // height of the strip below the board
	owner     []int32   // the cell of each pixel, or -1
	own       []span    // the pixels of a cell, relative to its centre
	around    [][]span  // the pixels outside the board that belong to each cell
	beyond    []float32 // the distance of each pixel outside the board from it, in pixels
}

// lattice holds the measures of cells on an image.
type lattice struct {
	halfWidth int     // of a cell, in pixels
	pitch     int     // distance between rows, in pixels
	radius    float64 // of a cell, from its centre to a corner
}

func newLattice(half int) lattice {
	pitch := pitchOf(half)
	return lattice{half, pitch, min(float64(pitch)/1.5, float64(half)*2/math.Sqrt(3))}
}

// span is the pixels x0 to x1-1 of row y.
type span struct{ y, x0, x1 int }

// edges holds the directions across the edges of a cell, clockwise from the upper right.
var edges = [6]hexgrid.Dir{hexgrid.YPlus, hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YMinus, hexgrid.XMinus, hexgrid.ZPlus}

// reach is the distance by which pieces may overlap other cells, in radii.
const reach = 0.5

// leastHalf is the smallest useful half width of a cell, in pixels.
const leastHalf = 2

func newLayout(cells []hexgrid.Coord, size int) (*layout, error) {
	l := &layout{cells: cells, index: map[hexgrid.Coord]int32{}}
	for i, c := range cells {
		l.index[c] = int32(i)
	}
	for _, c := range cells {
		var n [6]int32
		for e, d := range edges {
			n[e] = l.at(c.Step(d))
		}
		l.neighbors = append(l.neighbors, n)
	}
	l.strip = stripHeight(size)
	box, least := l.fit(size)
	if l.halfWidth < leastHalf {
		return nil, fmt.Errorf("a picture of this board needs a size of at least %d", least)
	}
	l.place(box, size)
	l.assign()
	return l, nil
}

func (l *layout) at(c hexgrid.Coord) int32 {
	if i, ok := l.index[c]; ok {
		return i
	}
	return -1
}

// fit chooses the size of the cells. It returns the board's extent in half cells and rows, and
// the smallest size that would be enough.
func (l *layout) fit(size int) (box image.Rectangle, least int) {
	for i, c := range l.cells {
		at := image.Pt(2*c.Q+c.R, c.R)
		if i == 0 {
			box = image.Rectangle{at, at}
		}
		box = image.Rect(min(box.Min.X, at.X), min(box.Min.Y, at.Y), max(box.Max.X, at.X), max(box.Max.Y, at.Y))
	}
	for half := leastHalf; ; half++ {
		pitch := pitchOf(half)
		need := max(half*(box.Dx()+2), pitch*box.Dy()+2*cornerOf(pitch)+l.strip) + 2*padding(size)
		if half == leastHalf {
			least = need
		}
		if need > size {
			return box, least
		}
		l.lattice = newLattice(half)
	}
}

// pitchOf returns the distance between rows of cells of that half width.
func pitchOf(half int) int { return int(math.Round(float64(half) * math.Sqrt(3))) }

// cornerOf returns the height of a cell above its centre.
func cornerOf(pitch int) int { return (2*pitch + 2) / 3 }

// padding returns the margin around the board.
func padding(size int) int { return max(8, size/36) }

func (l *layout) place(box image.Rectangle, size int) {
	corner := cornerOf(l.pitch)
	width, height := l.halfWidth*(box.Dx()+2), l.pitch*box.Dy()+2*corner
	pad := padding(size)
	l.size = image.Pt(max(width+2*pad, min(size, 10*l.strip)), height+2*pad+l.strip)
	left := (l.size.X-width)/2 + l.halfWidth
	for _, c := range l.cells {
		l.middles = append(l.middles, image.Pt(left+(2*c.Q+c.R-box.Min.X)*l.halfWidth, pad+corner+(c.R-box.Min.Y)*l.pitch))
	}
}

// within reports whether a pixel, relative to a cell's centre, is in the cell. Every pixel of
// the plane belongs to exactly one cell.
func (l *layout) within(x, y int) bool {
	dx, dy := l.halfWidth, l.pitch
	u, v := 2*x+1, 2*y+1 // the pixel's centre, doubled
	if u <= -2*dx || u >= 2*dx {
		return false
	}
	// The slanted edges; a pixel on an edge belongs to the cell below.
	return 4*dx*dy+3*dx*v-dy*u >= 0 && 4*dx*dy+3*dx*v+dy*u >= 0 &&
		4*dx*dy-3*dx*v-dy*u > 0 && 4*dx*dy-3*dx*v+dy*u > 0
}

// assign computes the cell of each pixel.
func (l *layout) assign() {
	l.owner = make([]int32, l.size.X*l.size.Y)
	l.beyond = make([]float32, len(l.owner))
	for i := range l.owner {
		l.owner[i], l.beyond[i] = -1, math.MaxFloat32
	}
	corner := cornerOf(l.pitch) + 1
	for y := -corner; y < corner; y++ {
		s := span{y: y}
		for x := -l.halfWidth; x < l.halfWidth; x++ {
			if l.within(x, y) {
				if s.x0 == s.x1 {
					s.x0 = x
				}
				s.x1 = x + 1
			}
		}
		if s.x0 < s.x1 {
			l.own = append(l.own, s)
		}
	}
	for i, m := range l.middles {
		for _, s := range l.own {
			row := l.owner[(m.Y+s.y)*l.size.X:]
			for x := m.X + s.x0; x < m.X+s.x1; x++ {
				row[x] = int32(i)
			}
		}
	}
	l.surround()
}

// surround assigns the pixels near the board to their closest cells.
func (l *layout) surround() {
	cell := inflated(l.corners(1), 0)
	board := image.Rect(0, 0, l.size.X, l.size.Y-l.strip)
	r := int(math.Ceil(float64(cornerOf(l.pitch)) + 2*reach*l.radius))
	taken := make([]int32, len(l.owner))
	for i := range l.middles {
		outside := false
		for _, n := range l.neighbors[i] {
			outside = outside || n < 0
		}
		if !outside {
			continue
		}
		m := l.middles[i]
		box := image.Rect(m.X-r, m.Y-r, m.X+r, m.Y+r).Intersect(board)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				k := y*l.size.X + x
				if l.owner[k] >= 0 {
					continue
				}
				if d := float32(cell(float64(x-m.X)+0.5, float64(y-m.Y)+0.5)); d < l.beyond[k] {
					l.beyond[k], taken[k] = d, int32(i)
				}
			}
		}
	}
	l.around = make([][]span, len(l.cells))
	for y := range board.Max.Y {
		for x := 0; x < l.size.X; {
			k := y*l.size.X + x
			from := x
			for x < l.size.X && float64(l.beyond[y*l.size.X+x]) < reach*l.radius && taken[y*l.size.X+x] == taken[k] && l.owner[y*l.size.X+x] < 0 {
				x++
			}
			if x == from {
				x++
				continue
			}
			l.around[taken[k]] = append(l.around[taken[k]], span{y, from, x})
		}
	}
}

// corners returns the corners of a cell, clockwise from the top; unit is the unit in pixels.
func (l lattice) corners(unit float64) []point {
	x, y := float64(l.halfWidth)/unit, float64(l.pitch)/1.5/unit
	return []point{{0, -y}, {x, -y / 2}, {x, y / 2}, {0, y}, {-x, y / 2}, {-x, -y / 2}}
}

// ray returns the cells on a line from a cell up to the first hole.
func (l *layout) ray(from int32, edge, most int) []int32 {
	var cells []int32
	for c := l.neighbors[from][edge]; c >= 0 && len(cells) < most; c = l.neighbors[c][edge] {
		cells = append(cells, c)
	}
	return cells
}
