package maps

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// MaxSpan is the greatest width and height of a board on a Canvas, in columns and rows.
const MaxSpan = 4096

// ColorDepth is the range of colours that an output can show.
type ColorDepth uint8

// The depths.
const (
	NoColor   ColorDepth = iota // for pipes, files and NO_COLOR: characters only
	Color256                    // the 256-colour palette of most terminals
	TrueColor                   // 24-bit colours
)

// CellWidth is the width of a cell on a Canvas, in columns.
const CellWidth = 2

// Cell is the appearance of a board's cell as text.
type Cell struct {
	Text   string // up to CellWidth characters of one column each; truncated or padded
	Fg, Bg Color
	Bold   bool
}

// Canvas draws boards of one shape as text, frame after frame. Rows are lines; a cell is
// two columns wide, and each row is shifted by half a cell, so that x+ points right, y+ up
// and right, z+ up and left. A Canvas keeps no frame and may be shared.
type Canvas struct {
	cells         []hexgrid.Coord
	spots         []spot
	width, height int
}

// spot is a cell in drawing order, with the gap before it.
type spot struct {
	cell   int32
	lines  int32 // lines below the previous cell
	indent int32 // columns skipped before it, from the previous cell or the margin
}

// NewCanvas lays out a board. It returns an error if the board spans more than MaxSpan
// columns or rows.
func NewCanvas(cells []hexgrid.Coord) (*Canvas, error) {
	c := &Canvas{cells: cells}
	if len(cells) == 0 {
		return c, nil
	}
	order := make([]int32, len(cells))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cells[i].Mirror().Compare(cells[j].Mirror()) // by row, then column
	})
	top, bottom := cells[order[0]].R, cells[order[len(order)-1]].R
	left, right := column(cells[0]), column(cells[0])
	for _, at := range cells {
		left, right = min(left, column(at)), max(right, column(at))
	}
	c.width, c.height = right-left+CellWidth, bottom-top+1
	if c.width > MaxSpan || c.height > MaxSpan {
		return nil, fmt.Errorf("the board spans %d columns and %d rows; text can show at most %d of each",
			c.width, c.height, MaxSpan)
	}
	row, end := top, left
	for _, i := range order {
		at := cells[i]
		s := spot{cell: i, lines: int32(at.R - row)}
		if at.R != row {
			row, end = at.R, left
		}
		s.indent = int32(column(at) - end)
		end = column(at) + CellWidth
		c.spots = append(c.spots, s)
	}
	return c, nil
}

// column returns the first column of a cell, relative to the origin's.
func column(c hexgrid.Coord) int { return CellWidth*c.Q + CellWidth/2*c.R }

// Size returns the size of a frame in columns and lines.
func (c *Canvas) Size() (columns, lines int) { return c.width, c.height }

// AppendFrame appends a frame. It calls cell once for each cell of the board, with its index
// in the list passed to NewCanvas and its position. Lines are separated by line feeds. No line
// ends with a colour switched on or, without colours, with spaces.
func (c *Canvas) AppendFrame(b []byte, depth ColorDepth, cell func(i int, at hexgrid.Coord) Cell) []byte {
	p := pen{depth: depth}
	for _, s := range c.spots {
		if s.lines > 0 || s.indent > 0 {
			b = p.reset(b)
		}
		if s.lines > 0 {
			b = p.endLine(b)
		}
		b = appendTimes(b, '\n', int(s.lines))
		b = appendTimes(b, ' ', int(s.indent))
		b = p.append(b, cell(int(s.cell), c.cells[s.cell]))
	}
	return p.endLine(p.reset(b))
}

func appendTimes(b []byte, c byte, n int) []byte {
	for range n {
		b = append(b, c)
	}
	return b
}

// pen tracks the terminal's colours, so that they are set only where they change.
type pen struct {
	depth  ColorDepth
	fg, bg Color
	bold   bool
}

func (p *pen) append(b []byte, cell Cell) []byte {
	if p.depth != NoColor {
		if p.bold && !cell.Bold || p.fg != 0 && cell.Fg == 0 || p.bg != 0 && cell.Bg == 0 {
			b = p.reset(b)
		}
		if cell.Bold != p.bold {
			b = append(b, "\x1b[1m"...)
		}
		if cell.Fg != p.fg {
			b = p.appendColor(b, 38, cell.Fg)
		}
		if cell.Bg != p.bg {
			b = p.appendColor(b, 48, cell.Bg)
		}
		p.fg, p.bg, p.bold = cell.Fg, cell.Bg, cell.Bold
	}
	room := CellWidth
	for _, r := range cell.Text {
		if room == 0 {
			break
		}
		b = utf8.AppendRune(b, r)
		room--
	}
	return appendTimes(b, ' ', room)
}

// endLine trims trailing spaces, unless colours make them visible cells.
func (p *pen) endLine(b []byte) []byte {
	if p.depth == NoColor {
		return bytes.TrimRight(b, " ")
	}
	return b
}

func (p *pen) reset(b []byte) []byte {
	if p.fg == 0 && p.bg == 0 && !p.bold {
		return b
	}
	p.fg, p.bg, p.bold = 0, 0, false
	return append(b, "\x1b[0m"...)
}

// appendColor appends the sequence that sets the foreground (ground 38) or the background
// (ground 48).
func (p *pen) appendColor(b []byte, ground int64, c Color) []byte {
	b = append(b, "\x1b["...)
	b = strconv.AppendInt(b, ground, 10)
	if p.depth == Color256 {
		b = append(b, ";5;"...)
		b = strconv.AppendInt(b, int64(c.index256()), 10)
		return append(b, 'm')
	}
	b = append(b, ";2"...)
	for shift := 16; shift >= 0; shift -= 8 {
		b = append(b, ';')
		b = strconv.AppendInt(b, int64(c>>shift&0xFF), 10)
	}
	return append(b, 'm')
}

// index256 returns the nearest colour of the 256-colour palette, from its 6 × 6 × 6 cube or
// its ramp of 24 greys.
func (c Color) index256() int {
	r, g, b, _ := c.RGB()
	cube := [3]int{nearestLevel(r), nearestLevel(g), nearestLevel(b)}
	ramp := min(max((int(r)+int(g)+int(b)-24+15)/30, 0), 23)
	grey := uint8(8 + 10*ramp)
	viaCube := apart(r, levels[cube[0]]) + apart(g, levels[cube[1]]) + apart(b, levels[cube[2]])
	if apart(r, grey)+apart(g, grey)+apart(b, grey) < viaCube {
		return 232 + ramp
	}
	return 16 + 36*cube[0] + 6*cube[1] + cube[2]
}

// levels holds the values of each component in the cube.
var levels = [6]uint8{0, 95, 135, 175, 215, 255}

func nearestLevel(v uint8) (best int) {
	for i, l := range levels {
		if apart(v, l) < apart(v, levels[best]) {
			best = i
		}
	}
	return best
}

// apart returns the square of the difference.
func apart(a, b uint8) int { return (int(a) - int(b)) * (int(a) - int(b)) }
