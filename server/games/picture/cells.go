package picture

import (
	"errors"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// Cells is a moment of a game of which only the looks are known: hexagonal cells, and pieces on
// them.
type Cells struct {
	Board  []Cell // not empty; of two in the same place the later one is seen
	Pieces []Cell // later ones are drawn over earlier ones
}

// Cell is a cell or a piece. It has the color of a player or, if Player is negative, another one.
type Cell struct {
	hexgrid.Coord
	Player int        // the id of a player, or negative
	Color  maps.Color // zero: none
	Label  string     // a few characters; may be empty
}

// cellsDrawing is the Drawing of a match whose game has Cells.
type cellsDrawing struct {
	frame
	title string
	match Match
	read  func(state []byte) (Cells, error)

	turn   int
	now    Cells
	scores []int64
}

// NewCells returns the drawing of a match of a game with that title, whose states read returns as
// Cells. Last is the last state: all images show the part of the plane with its cells.
func NewCells(
	title string, last []byte, read func(state []byte) (Cells, error), match Match, o Options,
) (Drawing, error) {
	end, err := read(last)
	if err != nil {
		return nil, err
	}
	if len(end.Board) == 0 {
		return nil, errors.New("the last state has no cells")
	}
	a := area{across: 8}
	for _, c := range end.Board {
		a.cells = append(a.cells, c.Coord)
	}
	f, err := o.newFrame(a)
	if err != nil {
		return nil, err
	}
	return &cellsDrawing{frame: f, title: title, match: match, read: read}, nil
}

// Follow implements Drawing.
func (d *cellsDrawing) Follow(m *Moment) (err error) {
	d.turn = m.turn()
	d.scores = append(d.scores[:0], m.Scores...)
	d.now, err = d.read(m.State)
	return err
}

// Title implements Drawing.
func (d *cellsDrawing) Title() string {
	return titleOf(printable(d.title)+", turn", d.turn, d.match.Turns)
}

// Draw implements Drawing.
func (d *cellsDrawing) Draw(c Canvas) {
	c.Background(func(c Canvas) {
		c.Stage(d.board, glowInk, stageInk)
		d.backStrip(c)
	})
	taken := map[hexgrid.Coord]bool{}
	for _, p := range d.now.Pieces {
		taken[p.Coord] = true
	}
	for _, one := range d.now.Board {
		d.put(c, d.look(one, !taken[one.Coord]), one.Coord)
	}
	for _, one := range d.now.Pieces {
		p := d.look(one, true)
		p.piece = true
		d.put(c, p, one.Coord)
	}
	d.drawPlayers(c)
}

// cellLook is what a cell or a piece looks like; it identifies its sprite.
type cellLook struct {
	piece  bool
	slot   int // free: no player's
	color  maps.Color
	label  string
	marked bool // with the sign of the owner
}

// look returns the look of a cell. One that something stands on is not bare: it has no signs.
func (d *cellsDrawing) look(c Cell, bare bool) cellLook {
	l := cellLook{slot: free, color: c.Color}
	if c.Player >= 0 && c.Player < len(d.match.Names) {
		l.slot, l.color = max(spectre, c.Player-d.match.Specials), 0
	}
	if bare && d.radius >= radiusNumber {
		l.label = c.Label
	}
	l.marked = bare && l.slot != free && l.label == "" && d.radius >= radiusMark
	return l
}

// put draws a cell or a piece if it is visible.
func (d *cellsDrawing) put(c Canvas, l cellLook, at hexgrid.Coord) {
	if !d.visible(at) {
		return
	}
	c.Stamp(l, d.center(at), 1.2*d.radius, func(c Canvas) {
		p := Pen{c, 0, 0, d.radius}
		if l.piece {
			d.drawPiece(p, l)
			return
		}
		fill := fillOf(l.slot)
		if l.color != 0 {
			fill = same(l.color)
		}
		p.Fill(d.tile(), fill, 1)
		if l.marked {
			p.At(0, 0, markRadius).Fill(shapeOf(l.slot).Shape, lineOf(l.slot), 0.8)
		}
		d.writeLabel(p, l, textInk)
	})
}

// drawPiece draws the shape of a player, or a disc.
func (d *cellsDrawing) drawPiece(p Pen, l cellLook) {
	ink := white
	switch {
	case l.slot != free:
		drawBody(p.At(0, 0, sizeDead), l.slot, 0)
		if l.slot >= 0 {
			ink = same(maps.PlayerLook(l.slot).Ink)
		}
	case l.color != 0:
		p.Fill(disc(0, 0, sizeDead), same(l.color), 1)
	default:
		p.Fill(disc(0, 0, sizeDead), quietInk, 1)
	}
	d.writeLabel(p, l, ink)
}

// writeLabel writes a label so small that it fits.
func (d *cellsDrawing) writeLabel(p Pen, l cellLook, ink Ink) {
	if text := printable(l.label); text != "" {
		p.Center(text, 0.9/float64(max(1, len([]rune(text)))), ink)
	}
}

// drawPlayers draws the players and their scores below the board.
func (d *cellsDrawing) drawPlayers(c Canvas) {
	var entries []entry
	for id, name := range d.match.Names {
		slot := max(spectre, id-d.match.Specials)
		e := entry{slot: slot, name: name, nameInk: quietInk, valueInk: textInk}
		if id < len(d.scores) {
			e.score = int(d.scores[id])
			e.value = spaced(e.score)
		}
		e.glyph = func(p Pen) { drawBody(p.At(0, 0, 0.19), slot, 0) }
		entries = append(entries, e)
	}
	d.writeStrip(c, entries, d.turn, d.match.Turns)
}
