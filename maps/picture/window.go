package picture

import (
	"fmt"
	"image"

	"github.com/hexarena/hexarena/engine/hextictactoe"
)

// window is the part of a board without end that a picture shows. Its cells lie in
// rows, from the top; within a row they are counted in half cells, and every second
// number is a cell.
type window struct {
	lattice
	size   image.Point
	strip  int // height of what is below the board
	first  image.Point
	halves int // in a row
	rows   int
	origin image.Point // the pixel in the middle of what is at 0, 0
	far    []uint8     // from the nearest piece, in cells; tooFar: further than was asked
}

const tooFar = 255

// windowMargin is how many cells are kept free round the pieces.
const windowMargin = 3

// halfCells is where a cell lies, in half cells and rows. r grows upwards.
func halfCells(c hextictactoe.Coord) image.Point { return image.Pt(2*c.Q+c.R, -c.R) }

// newWindow is the window of a picture in which all of some pieces are to be seen.
func newWindow(pieces []endlessPiece, size int) (*window, error) {
	w := &window{strip: stripHeight(size)}
	box := image.Rectangle{Min: halfCells(pieces[0].Coord), Max: halfCells(pieces[0].Coord)}
	for _, p := range pieces {
		at := halfCells(p.Coord)
		box = image.Rect(min(box.Min.X, at.X), min(box.Min.Y, at.Y), max(box.Max.X, at.X), max(box.Max.Y, at.Y))
	}
	measure := func(l lattice) image.Point {
		return image.Pt(l.halfWidth*(box.Dx()+2+4*windowMargin), l.pitch*(box.Dy()+2*windowMargin)+2*cornerOf(l.pitch)+w.strip)
	}
	const cellsAcross = 12 // at least: few pieces are not drawn huge
	for half := leastHalf; half <= max(leastHalf, size/(2*cellsAcross)); half++ {
		l := newLattice(half)
		need := measure(l)
		if longer := max(need.X, need.Y); longer > size {
			break
		}
		w.lattice, w.size = l, need
	}
	if w.halfWidth == 0 {
		need := measure(newLattice(leastHalf))
		if longer := max(need.X, need.Y); longer > MaxSize {
			return nil, fmt.Errorf("the pieces lie too far apart for a picture: it would need a size of %d, and %d is the most", longer, MaxSize)
		}
		return nil, fmt.Errorf("a picture of this game needs a size of %d or more", max(need.X, need.Y))
	}
	w.size.X = max(w.size.X, min(size, 10*w.strip))
	w.size.Y = max(w.size.Y, min(size, w.size.X/2))
	w.cover(box)
	return w, nil
}

// cover places the cells so that a box is in the middle, and cells reach to all sides.
func (w *window) cover(box image.Rectangle) {
	middle := image.Pt(w.size.X/2, (w.size.Y-w.strip)/2)
	start := middle.Sub(image.Pt(box.Dx()*w.halfWidth/2, box.Dy()*w.pitch/2)) // of the box
	left, up := start.X/w.halfWidth+2, start.Y/w.pitch+2
	w.first = box.Min.Sub(image.Pt(left, up))
	w.origin = start.Sub(image.Pt(left*w.halfWidth, up*w.pitch))
	w.halves = (w.size.X-w.origin.X)/w.halfWidth + 2
	w.rows = (w.size.Y-w.strip-w.origin.Y)/w.pitch + 2
	w.far = make([]uint8, w.halves*w.rows)
}

// index is where a cell stands in far; ok is false if it is out of sight.
func (w *window) index(c hextictactoe.Coord) (i int, ok bool) {
	at := halfCells(c).Sub(w.first)
	if at.X < 0 || at.Y < 0 || at.X >= w.halves || at.Y >= w.rows {
		return 0, false
	}
	return at.Y*w.halves + at.X, true
}

// pixel is the middle of a cell.
func (w *window) pixel(i int) image.Point {
	return w.origin.Add(image.Pt(i%w.halves*w.halfWidth, i/w.halves*w.pitch))
}

// at is the pixel in the middle of a cell; ok is false if it is out of sight.
func (w *window) at(c hextictactoe.Coord) (p image.Point, ok bool) {
	i, ok := w.index(c)
	if !ok {
		return p, false
	}
	return w.pixel(i), true
}

// spread finds how far the cells in sight are from the nearest of some pieces, up to
// a distance.
func (w *window) spread(pieces []endlessPiece, reach int) {
	for i := range w.far {
		w.far[i] = tooFar
	}
	var edge, next []int
	for _, p := range pieces {
		if i, ok := w.index(p.Coord); ok {
			w.far[i] = 0
			edge = append(edge, i)
		}
	}
	for d := 1; d <= reach && len(edge) > 0; d++ {
		next = next[:0]
		for _, i := range edge {
			x, y := i%w.halves, i/w.halves
			for _, step := range [...]image.Point{{2, 0}, {-2, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
				nx, ny := x+step.X, y+step.Y
				if nx < 0 || ny < 0 || nx >= w.halves || ny >= w.rows {
					continue
				}
				if n := ny*w.halves + nx; w.far[n] == tooFar {
					w.far[n] = uint8(d)
					next = append(next, n)
				}
			}
		}
		edge, next = next, edge
	}
}

// each tells of the cells that were spread to: the middle, and how far it is.
func (w *window) each(see func(at image.Point, far int)) {
	for i, far := range w.far {
		if far != tooFar {
			see(w.pixel(i), int(far))
		}
	}
}
