package picture

import (
	"fmt"
	"image"

	"github.com/hexarena/hexarena/engine/hextictactoe"
)

// window is the part of an unbounded board that an image shows. Cells are in rows from
// the top; within a row, positions are counted in half cells, and every second one is a
// cell.
type window struct {
	lattice
	size   image.Point
	strip  int // height of the strip below the board
	first  image.Point
	halves int // half cells per row
	rows   int
	origin image.Point // the centre of the position 0, 0, in pixels
	far    []uint8     // distance from the nearest piece in cells, or tooFar
}

const tooFar = 255

// windowMargin is the number of cells kept free around the pieces.
const windowMargin = 3

// halfCells returns the position of a cell in half cells and rows. r grows upwards.
func halfCells(c hextictactoe.Coord) image.Point { return image.Pt(2*c.Q+c.R, -c.R) }

// newWindow returns the window of an image that shows all pieces.
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
	const cellsAcross = 12 // at least, so that few pieces are not drawn huge
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
			return nil, fmt.Errorf("the pieces lie too far apart for a picture: it would need a size of %d, more than %d", longer, MaxSize)
		}
		return nil, fmt.Errorf("a picture of this game needs a size of at least %d", max(need.X, need.Y))
	}
	w.size.X = max(w.size.X, min(size, 10*w.strip))
	w.size.Y = max(w.size.Y, min(size, w.size.X/2))
	w.cover(box)
	return w, nil
}

// cover centres a box in the window and fills the image with cells.
func (w *window) cover(box image.Rectangle) {
	middle := image.Pt(w.size.X/2, (w.size.Y-w.strip)/2)
	start := middle.Sub(image.Pt(box.Dx()*w.halfWidth/2, box.Dy()*w.pitch/2)) // top left corner of the box
	left, up := start.X/w.halfWidth+2, start.Y/w.pitch+2
	w.first = box.Min.Sub(image.Pt(left, up))
	w.origin = start.Sub(image.Pt(left*w.halfWidth, up*w.pitch))
	w.halves = (w.size.X-w.origin.X)/w.halfWidth + 2
	w.rows = (w.size.Y-w.strip-w.origin.Y)/w.pitch + 2
	w.far = make([]uint8, w.halves*w.rows)
}

// index returns the index of a cell in far; ok is false if the cell is not visible.
func (w *window) index(c hextictactoe.Coord) (i int, ok bool) {
	at := halfCells(c).Sub(w.first)
	if at.X < 0 || at.Y < 0 || at.X >= w.halves || at.Y >= w.rows {
		return 0, false
	}
	return at.Y*w.halves + at.X, true
}

// pixel returns the centre of a cell in pixels.
func (w *window) pixel(i int) image.Point {
	return w.origin.Add(image.Pt(i%w.halves*w.halfWidth, i/w.halves*w.pitch))
}

// at returns the centre of a cell in pixels; ok is false if the cell is not visible.
func (w *window) at(c hextictactoe.Coord) (p image.Point, ok bool) {
	i, ok := w.index(c)
	if !ok {
		return p, false
	}
	return w.pixel(i), true
}

// spread computes the distance of the visible cells from the nearest piece, up to reach.
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

// each calls see for every cell within reach of a piece, with its centre and distance.
func (w *window) each(see func(at image.Point, far int)) {
	for i, far := range w.far {
		if far != tooFar {
			see(w.pixel(i), int(far))
		}
	}
}
