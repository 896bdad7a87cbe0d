package hexabomb

import "strconv"

// The "cells" of a state are kept as JSON: writing a state copies them instead
// of formatting every cell, and a cell that changes its colour has only the
// digits of its colour overwritten. For that, all colours take the same room:
// with more than nine, the short ones have spaces before them, which JSON allows
// in front of a value.

const colorKey = `,"color":`

// layOutText writes the cells as they are.
func (g *Game) layOutText() {
	g.colorWidth = len(strconv.Itoa(len(g.players)))
	g.text = append(make([]byte, 0, 40*len(g.cells)), '[')
	for i, c := range g.board.m.Cells {
		if i > 0 {
			g.text = append(g.text, ',')
		}
		g.text = appendCoord(g.text, c)
		g.text = append(g.text[:len(g.text)-1], colorKey...)
		for range g.colorWidth {
			g.text = append(g.text, ' ')
		}
		g.text = append(g.text, '}')
		g.cells[i].textEnd = int32(len(g.text))
		g.writeColor(&g.cells[i])
	}
	g.text = append(g.text, ']')
}

// writeColor brings the colour in the text of c up to date.
func (g *Game) writeColor(c *cell) {
	last, color := c.textEnd-2, c.color
	if g.colorWidth == 1 {
		g.text[last] = '0' + byte(color)
		return
	}
	for i := range int32(g.colorWidth) {
		digit := '0' + byte(color%10)
		if color == 0 && i > 0 {
			digit = ' '
		}
		g.text[last-i] = digit
		color /= 10
	}
}

// cellText is the text of one cell.
func (g *Game) cellText(at int32) []byte {
	start := int32(len("["))
	if at > 0 {
		start = g.cells[at-1].textEnd + int32(len(","))
	}
	return g.text[start:g.cells[at].textEnd]
}

// position is the text of where a cell is, such as "q":0,"r":1.
func (g *Game) position(at int32) []byte {
	c := g.cellText(at)
	return c[len("{") : len(c)-len("}")-g.colorWidth-len(colorKey)]
}
