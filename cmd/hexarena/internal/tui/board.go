package tui

import (
	"fmt"
	"image"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
)

// scale is the size of a cell.
type scale uint8

// The scales, with the size of a cell in columns and rows. Each row of cells is shifted by
// half a cell.
const (
	small  scale = iota // 2 × ½, colors only
	medium              // 2 × 1
	large               // 4 × 2
)

// board is the layout of a board's cells.
type board struct {
	places     []image.Point // of the cells, in halves of a cell and in rows
	cols, rows int           // in halves of a cell, and in cells
}

// newBoard lays out cells.
func newBoard(cells []hexgrid.Coord) *board {
	box := maps.Extent(cells)
	b := &board{cols: box.Dx() + 2, rows: box.Dy() + 1}
	for _, c := range cells {
		b.places = append(b.places, maps.Place(c).Sub(box.Min))
	}
	return b
}

// maxSpan is the greatest width and height of a board that is written, in columns and rows:
// a few cells of a map file can lie far apart.
const maxSpan = 4096

// WriteBoard writes a state as text, in the colors that w shows, and the players' letters.
func WriteBoard(w io.Writer, t games.Terminal, state []byte) error {
	screen, err := t.Screen(state)
	if err != nil {
		return err
	}
	b := newBoard(t.Cells())
	width, height := b.size(medium)
	if width > maxSpan || height > maxSpan {
		return fmt.Errorf("the board spans %d columns and %d rows; text can show at most %d of each",
			width, height, maxSpan)
	}
	out := colorprofile.NewWriter(w, os.Environ())
	colors := depthOf(out.Profile)
	c := newCanvas(width, height, 0)
	b.draw(c.all(), screen, medium, tileOptions(medium, colors, false))
	text := c.encode(colors != noColors)
	if out.Profile <= colorprofile.NoTTY {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		text = strings.Join(lines, "\n")
	}
	_, err = fmt.Fprintf(out, "%s\n\n%s\n", text, legend(screen.Standings()))
	return err
}

// legend says which letters name which players.
func legend(list []games.Standing) string {
	var special, first, last string
	id := -1 // of the last ordinary player, not counting special ones
	for _, s := range list {
		switch {
		case s.Special:
			special = "   " + s.Tag + ": special player"
			continue
		case first == "":
			first = s.Tag
		}
		id, last = id+1, s.Tag
	}
	if id == 0 {
		return first + ": player 0" + special
	}
	return fmt.Sprintf("%s to %s: players 0 to %d%s", first, last, id, special)
}

// size returns the size of the board in columns and rows.
func (b *board) size(s scale) (w, h int) {
	switch s {
	case small:
		return b.cols, (b.rows + 1) / 2
	case large:
		return 2 * b.cols, 2 * b.rows
	}
	return b.cols, b.rows
}

// draw draws a screen in the middle of a pane. A screen that does not fit is cut off on all sides
// alike.
func (b *board) draw(p pane, screen games.Screen, s scale, o games.TileOptions) {
	w, h := b.size(s)
	x0, y0 := (p.w-w)/2, (p.h-h)/2
	for i, at := range b.places {
		t := screen.Tile(i, o)
		switch s {
		case small:
			drawSmall(p, x0+at.X, y0, at.Y, t)
		case medium:
			p.text(x0+at.X, y0+at.Y, t.Text, tilePen(t))
		case large:
			drawLarge(p, x0+2*at.X, y0+2*at.Y, t)
		}
	}
}

func tilePen(t games.Tile) pen { return pen{t.Foreground, t.Background, t.Bold} }

// drawSmall draws a tile as the upper or the lower half of two characters.
func drawSmall(p pane, x, y, row int, t games.Tile) {
	for i := range 2 {
		g := p.at(x+i, y+row/2)
		switch {
		case g == nil:
		case row%2 == 1:
			upper := g.bg
			if g.r == '▀' {
				upper = g.fg
			}
			*g = glyph{pen{fg: upper, bg: t.Background}, '▀'}
		default:
			*g = glyph{pen{fg: t.Background, bg: g.bg}, '▀'}
		}
	}
}

// drawLarge draws a tile of two rows, with a rim of the cell if it is raised.
func drawLarge(p pane, x, y int, t games.Tile) {
	for row, text := range [...]string{t.Text, t.Under} {
		if !t.Raised {
			p.text(x, y+row, " "+text+" ", tilePen(t))
			continue
		}
		rim := pen{fg: t.Background, bg: t.Ground}
		p.text(x, y+row, "▐", rim)
		p.text(x+1, y+row, text, tilePen(t))
		p.text(x+3, y+row, "▌", rim)
	}
}
