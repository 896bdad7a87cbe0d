package games

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// maxGrid is the greatest number of half cells and of rows that a grid of text spans: a few cells
// of a map file can lie far apart.
const maxGrid = 1024

// Grid returns cells as text, a line for each row of the board, from the top. A line begins with
// its r and the q of its first cell; the next place to the right has the next q. Each row is
// shifted by half a place, so that the six neighbours of a cell stand around it. A place without a
// cell is empty. There is at least one cell, and each has a text of at most width characters.
func Grid(cells []hexgrid.Coord, width int, text func(i int) string) (string, error) {
	box := maps.Extent(cells)
	if box.Dx() >= maxGrid || box.Dy() >= maxGrid {
		return "", fmt.Errorf(
			"the board spans %d half cells and %d rows; text shows less than %d of each",
			box.Dx(), box.Dy(), maxGrid)
	}
	half := (width + 2) / 2 // a cell and a space
	rows := make([][]byte, box.Dy()+1)
	first := make([]int, len(rows))
	for i, c := range cells {
		at := maps.Place(c).Sub(box.Min)
		if rows[at.Y] == nil || c.Q < first[at.Y] {
			first[at.Y] = c.Q
		}
		row, from := rows[at.Y], at.X*half
		for len(row) < from+width {
			row = append(row, ' ')
		}
		copy(row[from:], text(i))
		rows[at.Y] = row
	}
	var b strings.Builder
	for y, row := range rows {
		if row == nil {
			continue
		}
		fmt.Fprintf(&b, "r=%-4dq=%-4d%s\n", box.Min.Y+y, first[y], strings.TrimRight(string(row), " "))
	}
	return b.String(), nil
}
