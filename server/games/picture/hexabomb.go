package picture

import (
	"fmt"
	"image"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// hexabombDrawing is the Drawing of a match of hexabomb.
type hexabombDrawing struct {
	frame
	match   Match
	heading *heading // of a map; nil for a match
	mark    float64  // how visible the signs of a cell's owner are
	*maps.Graph
	cells   []hexgrid.Coord
	middles []image.Point // of the cells

	turn   int
	state  *hexabomb.State
	bombs  []laidBomb
	blasts []blast
}

// NewHexabomb returns the drawing of a match of hexabomb on a board.
func NewHexabomb(board *hexabomb.Map, match Match, o Options) (Drawing, error) {
	return newHexabomb(board, match, o, nil)
}

func newHexabomb(
	board *hexabomb.Map, match Match, o Options, h *heading,
) (*hexabombDrawing, error) {
	a := area{cells: board.Cells, heading: h.height()}
	if o.Size == 0 {
		a.across = 20
	}
	f, err := o.newFrame(a)
	if err != nil {
		return nil, err
	}
	d := &hexabombDrawing{
		frame: f, match: match, heading: h, mark: 0.34, cells: board.Cells,
		Graph: maps.NewGraph(board.Cells),
	}
	const occupants = 7 // with that many players, some colours are close and signs are needed
	if len(match.Names)-match.Specials >= occupants {
		d.mark = 0.8
	}
	for _, c := range d.cells {
		d.middles = append(d.middles, d.center(c))
	}
	return d, nil
}

// ray returns the cells on a line from a cell up to the first hole.
func (d *hexabombDrawing) ray(from int32, edge, most int) (cells []int32) {
	for c := d.Near[from][edges[edge]]; c >= 0 && len(cells) < most; c = d.Near[c][edges[edge]] {
		cells = append(cells, c)
	}
	return cells
}

// slot returns the look of a colour's player.
func (d *hexabombDrawing) slot(c hexabomb.Color) int {
	if c == 0 {
		return free
	}
	return max(spectre, int(c.Player())-d.match.Specials)
}

// Follow implements Drawing.
func (d *hexabombDrawing) Follow(m *Moment) error {
	s, err := hexabomb.ParseState(m.State)
	if err != nil {
		return err
	}
	if len(s.Cells) != len(d.cells) {
		return fmt.Errorf("turn %d has %d cells, but the map has %d", m.turn(), len(s.Cells),
			len(d.cells))
	}
	d.explode(s, m)
	d.trackBombs(s)
	d.turn, d.state = m.turn(), s
	return nil
}

// Title implements Drawing.
func (d *hexabombDrawing) Title() string {
	if d.heading != nil {
		return d.heading.name + ": " + d.heading.figures
	}
	return titleOf("hexabomb, turn", d.turn, d.match.Turns)
}

// Draw implements Drawing.
func (d *hexabombDrawing) Draw(c Canvas) {
	c.Background(d.drawGround)
	crowds, bombs := d.crowds(), map[int32]*laidBomb{}
	for i := range d.bombs {
		bombs[d.bombs[i].cell] = &d.bombs[i]
	}
	d.drawTiles(c, func(cell int32) bool { return bombs[cell] != nil || crowds[cell] != crowd{} })
	d.drawWarnings(c)
	d.drawBlasts(c)
	for _, at := range d.state.Explosions[0] {
		if cell := d.At(at); cell >= 0 {
			d.put(c, cell, piece{kind: clash}, 0, 0)
		}
	}
	for i := range d.bombs {
		b := &d.bombs[i]
		carried := crowds[b.cell].living != nil
		p := piece{
			kind: bomb, slot: int32(d.slot(b.Color)), number: int32(b.Delay), of: int32(b.fuse),
			small: carried,
		}
		d.put(c, b.cell, p, 0, 0)
	}
	for i := range d.cells {
		if on := crowds[int32(i)]; on != (crowd{}) {
			d.drawCrowd(c, int32(i), on, bombs[int32(i)])
		}
	}
	d.drawStrip(c)
}

// put draws a piece at a place relative to the centre of a cell, in radii.
func (d *hexabombDrawing) put(c Canvas, cell int32, p piece, x, y float64) {
	at := d.middles[cell].Add(image.Pt(round(x*d.radius), round(y*d.radius)))
	c.Stamp(p, at, pieceReach*d.radius, func(c Canvas) { drawPiece(Pen{c, 0, 0, d.radius}, p) })
}

// crowd is the characters on a cell.
type crowd struct {
	living, dead *hexabomb.Character
	deaths       int
}

// crowds returns the characters on each cell.
func (d *hexabombDrawing) crowds() map[int32]crowd {
	crowds := map[int32]crowd{}
	for i := range d.state.Characters {
		c := &d.state.Characters[i]
		cell := d.At(c.Coord)
		if cell < 0 {
			continue
		}
		on := crowds[cell]
		switch {
		case c.Alive:
			on.living = c
		case on.dead == nil:
			on.dead = c
			fallthrough
		default:
			on.deaths++
		}
		crowds[cell] = on
	}
	return crowds
}

func (d *hexabombDrawing) drawCrowd(c Canvas, cell int32, on crowd, b *laidBomb) {
	if who := on.living; who != nil {
		slot := int32(d.slot(who.Color))
		if n := who.BombCount; n != nil && d.radius >= radiusDots && slot >= 0 && b == nil &&
			d.heading == nil {
			d.put(c, cell, piece{kind: dots, number: int32(min(2, *n)), of: 2}, 0, 0.8)
		}
		d.put(c, cell, piece{kind: alive, slot: slot, number: who.ID, small: b != nil}, 0, 0)
		if b != nil && d.radius >= radiusRim {
			hot := int32(0)
			if b.Delay <= 1 {
				hot = 1
			}
			d.put(c, cell, piece{kind: badge, number: int32(b.Delay), of: hot}, 0.52, 0.52)
		}
		if on.dead != nil && d.radius >= radiusNumber {
			d.put(c, cell, piece{kind: hollow}, -0.52, 0.52)
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
	d.put(c, cell, piece{kind: k, slot: int32(d.slot(on.dead.Color))}, 0, 0)
	if k != deadForGood && d.radius >= radiusDots {
		d.put(c, cell, piece{kind: dots, number: int32(on.dead.ReviveDelay), of: 3}, 0, 0.76)
	}
	if on.deaths > 1 && d.radius >= radiusNumber {
		d.put(c, cell, piece{kind: badge, number: int32(on.deaths)}, 0.5, -0.46)
	}
}

// drawStrip draws the players below the board.
func (d *hexabombDrawing) drawStrip(c Canvas) {
	var entries []entry
	for id, name := range d.match.Names {
		slot := max(spectre, id-d.match.Specials)
		e := entry{slot: slot, name: name, nameInk: quietInk, valueInk: textInk}
		if slot >= 0 && d.heading == nil {
			e.score = d.state.Score[engine.PlayerID(id)]
			e.value = spaced(e.score)
		}
		e.glyph = func(p Pen) { drawBody(p.At(0, 0, 0.19), slot, 0) }
		entries = append(entries, e)
	}
	turns := d.match.Turns
	if d.heading != nil {
		turns = -1
	}
	d.writeStrip(c, entries, d.turn, turns)
}
