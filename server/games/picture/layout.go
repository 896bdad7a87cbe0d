package picture

import (
	"fmt"
	"image"
	"math"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// layout holds the positions of cells on a picture. Centres are on whole pixels, so that what
// is drawn of one cell fits all; the cells are slightly distorted for that.
type layout struct {
	half, pitch int     // half the width of a cell, and the distance between rows, in pixels
	radius      float64 // of a cell, from its centre to a corner
	size        image.Point
	board       image.Rectangle // the part of the picture above the strip and below the heading
	origin      image.Point     // the centre of the cell 0, 0
}

// area says what part of a grid a picture shows, and what else.
type area struct {
	cells   []hexgrid.Coord // not empty; all are shown
	margin  int             // cells around these; zero: a few pixels
	across  int             // cells across at least, so that few cells are not drawn huge
	heading int             // height of a heading
}

// edges holds the directions across the edges of a cell, clockwise from the upper right.
var edges = [6]hexgrid.Dir{
	hexgrid.YPlus, hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YMinus, hexgrid.XMinus, hexgrid.ZPlus,
}

// leastHalf is the smallest useful half width of a cell, in pixels.
const leastHalf = 2

// suited is the size that suits a page of text.
const suited = 960

// newLayout returns the layout with the largest cells. Size zero is suited, or more if the
// board needs it.
func newLayout(a area, size int) (l layout, err error) {
	box := maps.Extent(a.cells)
	most := size
	if size == 0 {
		size, most = suited, MaxSize
	}
	strip, padding := stripHeight(size), 0
	if a.margin == 0 {
		padding = max(8, size/36)
	}
	try := func(half int) (longer int) {
		pitch := int(math.Round(float64(half) * math.Sqrt(3)))
		corner := (2*pitch + 2) / 3 // height of a cell above its centre
		l = layout{
			half: half, pitch: pitch, radius: min(float64(pitch)/1.5, float64(half)*2/math.Sqrt(3)),
		}
		l.size = image.Pt(half*(box.Dx()+2+4*a.margin)+2*padding,
			pitch*(box.Dy()+2*a.margin)+2*(corner+padding)+a.heading+strip)
		return max(l.size.X, l.size.Y)
	}
	least := try(leastHalf)
	if least > most {
		return l, fmt.Errorf("a picture of this board needs a size of at least %d; the greatest is %d",
			least, MaxSize)
	}
	half := leastHalf
	for try(half+1) <= size && 2*(half+1)*a.across <= size {
		half++
	}
	try(half)
	l.size.X = max(l.size.X, min(size, 10*strip)) // so that there is room for names
	if a.margin > 0 {
		l.size.Y = max(l.size.Y, min(size, l.size.X/2))
	}
	l.board = image.Rect(0, a.heading, l.size.X, l.size.Y-strip)
	middle := l.board.Min.Add(l.board.Max).Div(2)
	l.origin = middle.Sub(image.Pt((box.Min.X+box.Max.X)*half/2, (box.Min.Y+box.Max.Y)*l.pitch/2))
	return l, nil
}

// center returns the centre of a cell.
func (l *layout) center(c hexgrid.Coord) image.Point {
	at := maps.Place(c)
	return l.origin.Add(image.Pt(at.X*l.half, at.Y*l.pitch))
}

// visible reports whether any part of a cell is on the board's part of the picture.
func (l *layout) visible(c hexgrid.Coord) bool {
	return l.center(c).In(l.board.Inset(-l.pitch))
}

// hexagon returns the corners of a cell in radii, clockwise from the top; k is their distance
// from its centre in that of the cell's.
func (l *layout) hexagon(k float64) []Point {
	x, y := k*float64(l.half)/l.radius, k*float64(l.pitch)/1.5/l.radius
	return []Point{{0, -y}, {x, -y / 2}, {x, y / 2}, {0, y}, {-x, y / 2}, {-x, -y / 2}}
}

// tile is a cell without its seam, with rounded corners.
func (l *layout) tile() Shape {
	const radius, corner = 0.955, 0.20 // in radii of a cell
	return polygon(2*corner, l.hexagon(radius-corner/0.8660254)...)
}
