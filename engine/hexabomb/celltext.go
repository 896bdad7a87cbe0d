package hexabomb

import "strconv"

// The "cells" of a state are kept as JSON: writing a state copies them instead of
// formatting every cell, and a cell that changes its colour has only the digits of
// the colour overwritten. All colours therefore have the same width: with more than
// nine colours, short ones are padded with spaces, which JSON allows before a value.

const colorKey = `,"color":`

// layOutText formats all cells.
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

// writeColor updates the colour in the text of c.
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

// cellText returns the text of one cell.
func (g *Game) cellText(at int32) []byte {
	start := int32(len("["))
	if at > 0 {
		start = g.cells[at-1].textEnd + int32(len(","))
	}
	return g.text[start:g.cells[at].textEnd]
}

// position returns the text of a cell's position, such as "q":0,"r":1.
func (g *Game) position(at int32) []byte {
	c := g.cellText(at)
	return c[len("{") : len(c)-len("}")-g.colorWidth-len(colorKey)]
}
