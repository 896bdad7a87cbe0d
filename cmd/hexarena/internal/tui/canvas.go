// Package tui shows matches on a text terminal: live on a board, as lines of progress, and
// as a table in the end. It knows no game: a games.Terminal says how a state looks.
package tui

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/maps"
)

// depth is the number of colors that a terminal shows.
type depth uint8

const (
	trueColors depth = iota
	manyColors       // 256: shades of one color may look like different colors
	fewColors        // 16: too few to distinguish the cells of all players
	noColors
)

func depthOf(p colorprofile.Profile) depth {
	switch {
	case p == colorprofile.TrueColor:
		return trueColors
	case p == colorprofile.ANSI256:
		return manyColors
	case p == colorprofile.ANSI:
		return fewColors
	}
	return noColors
}

// pen is the style of text.
type pen struct {
	fg, bg maps.Color // a zero bg leaves the background as it is
	bold   bool
}

type glyph struct {
	pen
	r rune // 0: the second half of the wide rune before
}

// canvas is a rectangle of characters. Drawing outside of it has no effect.
type canvas struct {
	width, height int
	glyphs        []glyph
}

func newCanvas(width, height int, bg maps.Color) *canvas {
	c := &canvas{width, height, make([]glyph, width*height)}
	for i := range c.glyphs {
		c.glyphs[i] = glyph{pen{bg: bg}, ' '}
	}
	return c
}

// pane is a part of a canvas with its own origin.
type pane struct {
	*canvas
	x, y, w, h int
}

// all returns the whole canvas as a pane.
func (c *canvas) all() pane { return pane{c, 0, 0, c.width, c.height} }

// part returns a part of a pane, clipped to the pane.
func (p pane) part(x, y, w, h int) pane {
	return pane{p.canvas, p.x + x, p.y + y, max(0, min(w, p.w-x)), max(0, min(h, p.h-y))}
}

// at returns a glyph, nil outside of the pane.
func (p pane) at(x, y int) *glyph {
	if x < 0 || x >= p.w || y < 0 || y >= p.h {
		return nil
	}
	return &p.glyphs[(p.y+y)*p.width+p.x+x]
}

// text draws text at (x, y) and returns the column after it.
func (p pane) text(x, y int, text string, with pen) int {
	for _, r := range text {
		width := 1
		if r >= utf8.RuneSelf {
			width = lipgloss.Width(string(r))
		}
		if width == 0 || x+width > p.w {
			continue
		}
		for i := range width {
			if g := p.at(x+i, y); g != nil {
				if with.bg == 0 {
					g.pen = pen{with.fg, g.bg, with.bold}
				} else {
					g.pen = with
				}
				g.r = 0
				if i == 0 {
					g.r = r
				}
			}
		}
		x += width
	}
	return x
}

// right draws text so that it ends before column x.
func (p pane) right(x, y int, text string, with pen) {
	p.text(x-lipgloss.Width(text), y, text, with)
}

// fill sets the background of n glyphs in a row.
func (p pane) fill(x, y, n int, bg maps.Color) {
	p.text(x, y, strings.Repeat(" ", max(0, n)), pen{bg: bg})
}

// encode returns the canvas with ANSI sequences; without colors, bold is the only style.
func (c *canvas) encode(colors bool) string {
	b := make([]byte, 0, 16*len(c.glyphs))
	last := pen{}
	for i := range c.glyphs {
		g := &c.glyphs[i]
		if i > 0 && i%c.width == 0 {
			if last != (pen{}) { // a terminal that scrolls fills the new line with the background
				b, last = append(b, "\x1b[0m"...), pen{}
			}
			b = append(b, '\n')
		}
		if g.r == 0 {
			continue
		}
		now := g.pen
		if !colors {
			now = pen{bold: g.bold}
		}
		if now != last {
			b = appendPen(b, now)
			last = now
		}
		b = utf8.AppendRune(b, g.r)
	}
	if last != (pen{}) {
		b = append(b, "\x1b[0m"...)
	}
	return string(b)
}

func appendPen(b []byte, p pen) []byte {
	b = append(b, "\x1b[0"...)
	if p.bold {
		b = append(b, ";1"...)
	}
	b = appendColor(b, ";38;2", p.fg)
	b = appendColor(b, ";48;2", p.bg)
	return append(b, 'm')
}

func appendColor(b []byte, what string, c maps.Color) []byte {
	red, green, blue, ok := c.RGB()
	if !ok {
		return b
	}
	b = append(b, what...)
	for _, v := range [...]uint8{red, green, blue} {
		b = append(b, ';')
		b = strconv.AppendUint(b, uint64(v), 10)
	}
	return b
}
