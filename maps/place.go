package maps

import (
	"image"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Place returns where a cell is drawn, in half cells to the right and rows down: x+ points
// right, y+ up and right, z+ up and left. A cell is two half cells wide.
func Place(c hexgrid.Coord) image.Point { return image.Pt(2*c.Q+c.R, c.R) }

// Extent returns the places of the outermost cells: Min is the least, Max the greatest of
// both coordinates. There is at least one cell.
func Extent(cells []hexgrid.Coord) (box image.Rectangle) {
	box.Min, box.Max = Place(cells[0]), Place(cells[0])
	for _, c := range cells {
		at := Place(c)
		box.Min = image.Pt(min(box.Min.X, at.X), min(box.Min.Y, at.Y))
		box.Max = image.Pt(max(box.Max.X, at.X), max(box.Max.Y, at.Y))
	}
	return box
}
