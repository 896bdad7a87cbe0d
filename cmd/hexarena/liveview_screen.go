package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/maps"
)

// liveDepth is how well a terminal tells colours apart.
type liveDepth uint8

const (
	trueColors liveDepth = iota
	manyColors           // 256: shades of one colour may come out as different ones
	fewColors            // 16: not enough to tell the cells of all players apart
	noColors
)

func depthOf(p colorprofile.Profile) liveDepth {
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

// pen is how text is drawn.
type pen struct {
	fg, bg maps.Color // a zero bg leaves what is there
	bold   bool
}

type glyph struct {
	pen
	r rune // 0: the second half of the wide one before
}

// screen is a rectangle of characters. Drawing outside of it has no effect.
type screen struct {
	width, height int
	glyphs        []glyph
}

func newScreen(width, height int, bg maps.Color) *screen {
	s := &screen{width, height, make([]glyph, width*height)}
	for i := range s.glyphs {
		s.glyphs[i] = glyph{pen{bg: bg}, ' '}
	}
	return s
}

// pane is a part of a screen, with its own origin.
type pane struct {
	*screen
	x, y, w, h int
}

// all is the whole screen as a pane.
func (s *screen) all() pane { return pane{s, 0, 0, s.width, s.height} }

// part is a part of a pane, cut where it would leave it.
func (p pane) part(x, y, w, h int) pane {
	return pane{p.screen, p.x + x, p.y + y, max(0, min(w, p.w-x)), max(0, min(h, p.h-y))}
}

// at is the glyph there, nil outside.
func (p pane) at(x, y int) *glyph {
	if x < 0 || x >= p.w || y < 0 || y >= p.h {
		return nil
	}
	return &p.glyphs[(p.y+y)*p.width+p.x+x]
}

// text draws text from (x, y) on and returns the column after it.
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

// right draws text that ends before column x.
func (p pane) right(x, y int, text string, with pen) {
	p.text(x-lipgloss.Width(text), y, text, with)
}

// fill gives a row of n glyphs a background.
func (p pane) fill(x, y, n int, bg maps.Color) {
	p.text(x, y, strings.Repeat(" ", max(0, n)), pen{bg: bg})
}

// encode is the screen with the sequences that colour it; without colours, only
// bold is left.
func (s *screen) encode(colors bool) string {
	b := make([]byte, 0, 16*len(s.glyphs))
	last := pen{}
	for i := range s.glyphs {
		g := &s.glyphs[i]
		if i > 0 && i%s.width == 0 {
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
	return string(append(b, "\x1b[0m"...))
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
