package main

import (
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// Colours on the terminal, which is drawn dark whatever its own background.
var (
	stageColor = maps.Hex(0x0F131B)
	freeColor  = maps.Hex(0x282E3A)
	greyColor  = maps.Hex(0x303030) // free cells where that would come out as blue
	bombColor  = maps.Hex(0x05060A)
	flameColor = maps.Hex(0xFFC65C)
	soot       = maps.Hex(0x3A1600) // on flames
	black      = maps.Hex(0x000000)

	spectre = maps.Look{
		Shape: "ghost",
		Ink:   maps.Hex(0x14161C),
		Dark: maps.Tones{
			Body: maps.Hex(0xF4F6FA), Line: maps.Hex(0xF4F6FA), Fill: maps.SpectreColor, Strong: maps.SpectreColor,
		},
	}
)

// lookOf is the look of whoever has a colour, which is not 0.
func lookOf(c hexabomb.Color, specials int) maps.Look {
	if i := int(c) - 1 - specials; i >= 0 {
		return maps.PlayerLook(i)
	}
	return spectre
}

// tagOf is the letter of whoever has a colour, which is not 0; it takes two
// after the first 26.
func tagOf(c hexabomb.Color, specials int) string {
	i := int(c) - 1 - specials
	switch {
	case i < 0:
		return "@"
	case i < 26:
		return string(rune('A' + i))
	}
	i -= 26
	return string(rune('A'+i/26%26)) + string(rune('a'+i%26))
}

// liveScale is how large a cell is drawn.
type liveScale uint8

// The scales, with a cell's size in columns and rows. Rows of cells are shifted
// by half a cell.
const (
	small  liveScale = iota // 2 × ½, colours only
	medium                  // 2 × 1
	large                   // 4 × 2
)

// liveBoard is the shape of a board, and where on it each cell lies.
type liveBoard struct {
	index      map[hexgrid.Coord]int
	spots      []spot
	cols, rows int // in halves of a cell, and in cells
}

type spot struct {
	col, row int
	at       hexgrid.Coord
}

// newLiveBoard lays out cells in the order in which states have them.
func newLiveBoard(cells []hexgrid.Coord) *liveBoard {
	b := &liveBoard{index: make(map[hexgrid.Coord]int, len(cells))}
	left, top := 2*cells[0].Q+cells[0].R, cells[0].R
	for i, c := range cells {
		b.index[c] = i
		left, top = min(left, 2*c.Q+c.R), min(top, c.R)
	}
	for _, c := range cells {
		s := spot{2*c.Q + c.R - left, c.R - top, c}
		b.spots = append(b.spots, s)
		b.cols, b.rows = max(b.cols, s.col+2), max(b.rows, s.row+1)
	}
	return b
}

// size is the size of the board in columns and rows.
func (b *liveBoard) size(scale liveScale) (w, h int) {
	switch scale {
	case small:
		return b.cols, (b.rows + 1) / 2
	case large:
		return 2 * b.cols, 2 * b.rows
	}
	return b.cols, b.rows
}

// tile is what there is to see of a cell.
type tile struct {
	owner hexabomb.Color
	blast hexabomb.Color // whose explosion covers it
	hit   bool           // an explosion covers it
	bomb  *hexabomb.Bomb // or nil
	alive *hexabomb.Character
	dead  *hexabomb.Character
	count int // the number of alive among its player's characters, from 1
}

// tiles are the tiles of a state, by cell.
func (b *liveBoard) tiles(s *hexabomb.State) []tile {
	tiles := make([]tile, len(b.spots))
	at := func(c hexgrid.Coord) *tile { return &tiles[b.index[c]] }
	for _, c := range s.Cells {
		at(c.Coord).owner = c.Color
	}
	for color, cells := range s.Explosions {
		for _, c := range cells {
			at(c).hit, at(c).blast = true, color
		}
	}
	for i := range s.Bombs {
		at(s.Bombs[i].Coord).bomb = &s.Bombs[i]
	}
	counts := map[hexabomb.Color]int{}
	for i := range s.Characters {
		c := &s.Characters[i]
		counts[c.Color]++
		if t := at(c.Coord); c.Alive {
			t.alive, t.count = c, counts[c.Color]
		} else {
			t.dead = c
		}
	}
	return tiles
}

// boardStyle is how a board is drawn.
type boardStyle struct {
	scale    liveScale
	specials int
	marks    bool // cells show their owner's letter
	plain    bool // there are no colours
	flat     bool // cells of one colour look the same
}

// draw draws a state in the middle of a pane. What does not fit is cut off on
// all sides alike.
func (b *liveBoard) draw(p pane, s *hexabomb.State, style boardStyle) {
	w, h := b.size(style.scale)
	x0, y0 := (p.w-w)/2, (p.h-h)/2
	for i, t := range b.tiles(s) {
		spot := b.spots[i]
		c := style.chip(t, spot.at)
		switch style.scale {
		case small:
			drawSmall(p, x0+spot.col, y0, spot.row, c)
		case medium:
			p.text(x0+spot.col, y0+spot.row, c.text, c.on(c.bg))
		case large:
			drawLarge(p, x0+2*spot.col, y0+2*spot.row, c)
		}
	}
}

// chip is the look of a tile: two letters on a colour, upon the cell.
type chip struct {
	text   string // two columns
	under  string // two more, where there is room for a second line
	fg, bg maps.Color
	ground maps.Color // of the cell around it
	raised bool       // it stands on the cell rather than to be the cell
	bold   bool
}

func (c chip) on(bg maps.Color) pen { return pen{c.fg, bg, c.bold} }

// chip makes a tile's look. What matters most covers the rest: the living, then
// bombs, the dead, explosions, and whose the cell is.
func (st boardStyle) chip(t tile, at hexgrid.Coord) chip {
	c := st.ground(t, at)
	switch {
	case t.alive != nil:
		look, tag := lookOf(t.alive.Color, st.specials), tagOf(t.alive.Color, st.specials)
		c.text, c.under, c.raised, c.bold = pad(tag+strconv.FormatInt(int64(t.count), 36)), "  ", true, true
		c.fg, c.bg = look.Ink, look.Dark.Body
		if t.bomb != nil {
			c.fg, c.bg = look.Dark.Line, bombColor
			c.under = fuse(t.bomb)
			switch {
			case st.plain:
				c.text = pad(tag + "*")
			case st.scale != large:
				c.text = pad(tag + strconv.Itoa(min(t.bomb.Delay, 9)))
			}
		}
	case t.bomb != nil:
		c.text, c.under, c.raised, c.bold = fuse(t.bomb), "  ", true, true
		c.fg, c.bg = lookOf(t.bomb.Color, st.specials).Dark.Line, bombColor
	case t.dead != nil:
		c.text, c.under = pad("x"+tagOf(t.dead.Color, st.specials)), "  "
		if !t.hit {
			c.fg = lookOf(t.dead.Color, st.specials).Dark.Line
			c.bg = c.ground.Mix(black, 0.45)
		}
	}
	return c
}

// ground is the look of the cell itself.
func (st boardStyle) ground(t tile, at hexgrid.Coord) chip {
	c := chip{text: "  ", under: "  "}
	switch {
	case t.hit:
		c.ground = flameColor
		c.fg = soot
		if t.blast != 0 {
			c.ground = flameColor.Mix(lookOf(t.blast, st.specials).Dark.Line, 0.2)
		}
		if st.plain || st.marks {
			c.text = "**"
		}
	case t.owner == 0:
		c.ground = freeColor
		if st.flat {
			c.ground = greyColor
		}
		c.fg = maps.FreeColor
		if st.plain {
			c.text = "· "
		}
	default:
		look := lookOf(t.owner, st.specials)
		c.ground = look.Dark.Fill
		c.fg = look.Dark.Fill.Mix(look.Dark.Line, 0.6)
		if st.plain || st.marks {
			c.text = pad(lower(tagOf(t.owner, st.specials)))
		}
	}
	if !st.flat {
		c.ground = maps.Texture(c.ground, at)
	}
	c.bg = c.ground
	return c
}

// fuse is a bomb and the turns until it explodes.
func fuse(b *hexabomb.Bomb) string {
	if b.Delay < 10 {
		return "*" + strconv.Itoa(b.Delay)
	}
	return strconv.Itoa(min(b.Delay, 99))
}

func pad(text string) string {
	if len(text) < 2 {
		return text + " "
	}
	return text[:2]
}

func lower(tag string) string { return strings.ToLower(tag[:1]) + tag[1:] }

// drawSmall draws a cell as the upper or the lower half of two characters.
func drawSmall(p pane, x, y, row int, c chip) {
	for i := range 2 {
		g := p.at(x+i, y+row/2)
		switch {
		case g == nil:
		case row%2 == 1:
			upper := g.bg
			if g.r == '▀' {
				upper = g.fg
			}
			*g = glyph{pen{fg: upper, bg: c.bg}, '▀'}
		default:
			*g = glyph{pen{fg: c.bg, bg: g.bg}, '▀'}
		}
	}
}

// drawLarge draws a cell of two rows; what is raised leaves a rim of the cell.
func drawLarge(p pane, x, y int, c chip) {
	for row, text := range [...]string{c.text, c.under} {
		if !c.raised {
			p.text(x, y+row, " "+text+" ", c.on(c.bg))
			continue
		}
		rim := pen{fg: c.bg, bg: c.ground}
		p.text(x, y+row, "▐", rim)
		p.text(x+1, y+row, text, c.on(c.bg))
		p.text(x+3, y+row, "▌", rim)
	}
}
