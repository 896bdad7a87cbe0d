package botstest

import (
	"slices"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Drawn builds a map from a drawing with one character per cell; each row is one r and is
// shifted by half a cell, and q grows to the right. A dot is a cell, a blank a missing
// cell, a digit a starting position of that player, S one of the special player.
func Drawn(rows ...string) *hexabomb.Map {
	m := &hexabomb.Map{}
	for r, row := range rows {
		for q, char := range row {
			c := hexgrid.Coord{Q: q, R: r}
			switch {
			case char == ' ':
				continue
			case char == 'S':
				m.Specials = append(m.Specials, c)
			case '0' <= char && char <= '9':
				for int(char-'0') >= len(m.Starts) {
					m.Starts = append(m.Starts, nil)
				}
				m.Starts[char-'0'] = append(m.Starts[char-'0'], c)
			}
			m.Cells = append(m.Cells, c)
		}
	}
	slices.SortFunc(m.Cells, hexgrid.Coord.Compare)
	return m
}
