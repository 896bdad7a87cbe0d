package picture

import (
	"bytes"
	"fmt"
	"image"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// hexabombDrawing is the Drawing of a match of hexabomb. It redraws only what a turn changed:
// each cell that looks different is drawn with its surroundings on a scratch image, and its
// pixels are copied.
type hexabombDrawing struct {
	lettering
	layout    *layout
	match     Match
	markAlpha float64
	shapes    []distance
	tiles     cache[tile, sprite]
	sprites   cache[piece, sprite]
	glyphs    cache[int, sprite] // of the players, by slot
	ground    *image.RGBA        // the background of the cells
	scratch   *image.RGBA        // for drawing cells with the parts of neighbours that overlap them
	img       *image.RGBA        // the image

	step   int
	state  *hexabomb.State
	bombs  []laidBomb
	blasts []blast

	shown   []content // by cell; nil before the first picture
	beams   []bool    // cells under beams or warnings in the image
	caption string    // the caption in the image
}

// content is everything visible on a cell.
type content struct {
	tile   tile
	pieces [maxPieces]placed
	count  int
}

// maxPieces is the largest number of pieces on a cell: a clash, a bomb and its badge, a
// character and its dots, a badge for dead characters.
const maxPieces = 6

type placed struct {
	piece piece
	at    image.Point // relative to the centre of the cell
}

// NewHexabomb returns the drawing of a match of hexabomb on a board.
func NewHexabomb(board *hexabomb.Map, match Match, o Options) (Drawing, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l, err := newLayout(board.Cells, o.Size)
	if err != nil {
		return nil, err
	}
	d := &hexabombDrawing{
		layout: l, match: match, lettering: newLettering(o.Light), markAlpha: 0.38, shapes: allShapes(),
		tiles: cache[tile, sprite]{}, sprites: cache[piece, sprite]{}, glyphs: cache[int, sprite]{},
	}
	if o.Light {
		d.markAlpha = 0.29
	}
	const occupants = 7 // with that many players, some colours are close and marks are needed
	if len(match.Names)-match.Specials >= occupants {
		d.markAlpha = 0.8
	}
	d.ground = drawGround(l, d.paints)
	d.scratch, d.img = clone(d.ground), clone(d.ground)
	return d, nil
}

func clone(img *image.RGBA) *image.RGBA {
	c := *img
	c.Pix = bytes.Clone(img.Pix)
	return &c
}

// Follow implements Drawing.
func (d *hexabombDrawing) Follow(m *Moment) error {
	s, err := hexabomb.ParseState(m.State)
	if err != nil {
		return err
	}
	if len(s.Cells) != len(d.layout.cells) {
		return fmt.Errorf("turn %d has %d cells, but the map has %d", m.Step, len(s.Cells), len(d.layout.cells))
	}
	d.explode(s, m)
	d.trackBombs(s)
	d.step, d.state = m.Step, s
	return nil
}

// Image implements Drawing.
func (d *hexabombDrawing) Image() *image.RGBA { return d.img }

// slot returns the look of a colour's player.
func (d *hexabombDrawing) slot(c hexabomb.Color) int {
	if c == 0 {
		return free
	}
	if player := int(c.Player()); player >= d.match.Specials {
		return player - d.match.Specials
	}
	return spectre
}

// Draw implements Drawing.
func (d *hexabombDrawing) Draw() image.Rectangle {
	next := d.contents()
	touched := make([]bool, len(next))
	for i := range next {
		touched[i] = d.shown == nil || next[i] != d.shown[i] || d.beams[i]
	}
	d.beams = make([]bool, len(next))
	d.markCrossed(func(cell int32) { d.beams[cell], touched[cell] = true, true })
	d.shown = next
	taken := d.spread(touched)
	drawn := d.spread(taken)
	for i := range next {
		if drawn[i] {
			d.putTile(d.scratch, int32(i), next[i].tile)
		}
	}
	d.drawWarnings()
	d.drawBlasts()
	var box image.Rectangle
	for i := range next {
		if !drawn[i] {
			continue
		}
		for _, p := range next[i].pieces[:next[i].count] {
			d.sprite(p.piece).put(d.scratch, d.layout.middles[i].Add(p.at))
		}
	}
	for i := range next {
		if taken[i] {
			box = box.Union(d.take(int32(i)))
		}
	}
	return box.Union(d.drawStrip())
}

// spread returns the marked cells and their neighbours.
func (d *hexabombDrawing) spread(marked []bool) []bool {
	wider := slices.Clone(marked)
	for i, m := range marked {
		if !m {
			continue
		}
		for _, n := range d.layout.neighbors[i] {
			if n >= 0 {
				wider[n] = true
			}
		}
	}
	return wider
}

// take copies a cell's pixels from the scratch image and returns their rectangle.
func (d *hexabombDrawing) take(cell int32) (box image.Rectangle) {
	m := d.layout.middles[cell]
	for _, o := range d.layout.own {
		s := span{m.Y + o.y, m.X + o.x0, m.X + o.x1}
		copySpan(d.img, d.scratch, s)
		box = box.Union(image.Rect(s.x0, s.y, s.x1, s.y+1))
	}
	for _, s := range d.layout.around[cell] {
		copySpan(d.img, d.scratch, s)
		box = box.Union(image.Rect(s.x0, s.y, s.x1, s.y+1))
	}
	return box
}

// contents returns the content of every cell.
func (d *hexabombDrawing) contents() []content {
	l := d.layout
	list := make([]content, len(l.cells))
	for i := range list {
		color := d.state.Cells[i].Color
		t := tile{slot: int32(d.slot(color)), marked: true}
		for e, n := range l.neighbors[i] {
			if n < 0 {
				t.rim |= 1 << e
			}
			if n < 0 || d.state.Cells[n].Color != color {
				t.border |= 1 << e
			}
		}
		list[i].tile = t
	}
	for _, at := range d.state.Explosions[0] {
		if cell := l.at(at); cell >= 0 {
			list[cell].add(piece{kind: clash}, image.Point{})
		}
	}
	d.populate(list)
	return list
}

func (c *content) add(p piece, at image.Point) {
	if c.count < maxPieces {
		c.pieces[c.count] = placed{p, at}
		c.count++
	}
}

// occupants are the characters on a cell.
type occupants struct {
	living, dead *hexabomb.Character
	deaths       int
}

// populate adds bombs and characters to their cells.
func (d *hexabombDrawing) populate(list []content) {
	crowds := map[int32]*occupants{}
	for i := range d.state.Characters {
		c := &d.state.Characters[i]
		cell := d.layout.at(c.Coord)
		if cell < 0 {
			continue
		}
		if crowds[cell] == nil {
			crowds[cell] = &occupants{}
		}
		switch on := crowds[cell]; {
		case c.Alive:
			on.living = c
		case on.dead == nil:
			on.dead = c
			fallthrough
		default:
			on.deaths++
		}
	}
	bombs := map[int32]*laidBomb{}
	for i := range d.bombs {
		b := &d.bombs[i]
		bombs[b.cell] = b
		on := crowds[b.cell]
		carried := on != nil && on.living != nil
		list[b.cell].tile.marked = false
		list[b.cell].add(piece{kind: bomb, slot: int32(d.slot(b.Color)), number: int32(b.Delay), of: int32(b.fuse), small: carried}, image.Point{})
	}
	for cell, on := range crowds {
		list[cell].tile.marked = false
		d.place(&list[cell], on, bombs[cell])
	}
}

func (d *hexabombDrawing) place(c *content, on *occupants, b *laidBomb) {
	r := d.layout.radius
	at := func(x, y float64) image.Point { return image.Pt(round(x*r), round(y*r)) }
	if on.living != nil {
		who := on.living
		slot := d.slot(who.Color)
		if r >= radiusDots && slot >= 0 && b == nil {
			c.add(piece{kind: dots, number: int32(min(2, who.BombCount)), of: 2}, at(0, 0.8))
		}
		c.add(piece{kind: alive, slot: int32(slot), number: int32(who.ID), small: b != nil}, image.Point{})
		if b != nil && r >= radiusRim {
			hot := int32(0)
			if b.Delay <= 1 {
				hot = 1
			}
			c.add(piece{kind: badge, number: int32(b.Delay), of: hot}, at(0.52, 0.52))
		}
		if on.dead != nil && r >= radiusNumber {
			c.add(piece{kind: hollow}, at(-0.52, 0.52))
		}
		return
	}
	k := dead
	switch {
	case d.match.Specials > 0:
		k = deadForGood
	case on.dead.ReviveDelay == 0:
		k = revivable
	}
	c.add(piece{kind: k, slot: int32(d.slot(on.dead.Color))}, image.Point{})
	if k != deadForGood && r >= radiusDots {
		c.add(piece{kind: dots, number: int32(on.dead.ReviveDelay), of: 3}, at(0, 0.76))
	}
	if on.deaths > 1 && r >= radiusNumber {
		c.add(piece{kind: badge, number: int32(on.deaths)}, at(0.5, -0.46))
	}
}

func round(v float64) int {
	if v < 0 {
		return -int(0.5 - v)
	}
	return int(v + 0.5)
}

// drawStrip draws the players below the board, if anything about them changed.
func (d *hexabombDrawing) drawStrip() image.Rectangle {
	var entries []entry
	caption := fmt.Sprint(d.step)
	for id, name := range d.match.Names {
		e := entry{name: name, slot: id - d.match.Specials, score: d.state.Score[engine.PlayerID(id)]}
		if id < d.match.Specials {
			e.slot = spectre
		}
		entries = append(entries, e)
		caption += " " + e.text()
	}
	if caption == d.caption {
		return image.Rectangle{}
	}
	d.caption = caption
	return d.writeStrip(entries)
}
