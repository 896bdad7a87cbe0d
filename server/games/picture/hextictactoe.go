package picture

import (
	"fmt"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
)

// hextictactoeDrawing is the Drawing of a game of hexagonal tic-tac-toe.
type hextictactoeDrawing struct {
	frame
	names [2]string
	now   *position
}

// NewHextictactoe returns the drawing of a game of hexagonal tic-tac-toe. Last is the last
// state: all images show the part of the board with its pieces. Names are those of x and o.
func NewHextictactoe(last []byte, names []string, o Options) (Drawing, error) {
	s, err := parsePosition(last)
	if err != nil {
		return nil, err
	}
	a := area{margin: 3, across: 12}
	for _, p := range s.Board.Cells {
		a.cells = append(a.cells, upright(p.Coord))
	}
	f, err := o.newFrame(a)
	if err != nil {
		return nil, err
	}
	d := &hextictactoeDrawing{frame: f, now: s}
	copy(d.names[:], names)
	return d, nil
}

// upright converts a cell of a board whose r grows upwards to one of a layout.
func upright(c hextictactoe.Coord) hexgrid.Coord { return hexgrid.Coord{Q: c.Q + c.R, R: -c.R} }

// Follow implements Drawing.
func (d *hextictactoeDrawing) Follow(m *Moment) error {
	s, err := parsePosition(m.State)
	if err == nil {
		d.now = s
	}
	return err
}

// Title implements Drawing.
func (d *hextictactoeDrawing) Title() string {
	return titleOf("hextictactoe, move", d.now.Move, d.now.TurnLimit)
}

// Draw implements Drawing.
func (d *hextictactoeDrawing) Draw(c Canvas) {
	c.Background(func(c Canvas) {
		c.Stage(d.board, glowInk, stageInk)
		d.backStrip(c)
	})
	d.drawCells(c)
	faded := d.now.faded()
	for _, p := range d.now.Board.Cells {
		d.put(c, upright(p.Coord), stone{side: p.side, faded: faded(p.Coord)})
	}
	moves := d.now.Previous
	for i, m := range moves { // the last move is outlined, the one before with dashes
		for _, at := range m.Pieces {
			d.put(c, upright(at), stone{outline: true, faded: i < len(moves)-1})
		}
	}
	d.drawRows(c)
	d.drawSides(c)
}

// put draws a stone if it is visible.
func (d *hextictactoeDrawing) put(c Canvas, at hexgrid.Coord, s stone) {
	if d.visible(at) {
		c.Stamp(s, d.center(at), stoneReach*d.radius,
			func(c Canvas) { d.drawStone(Pen{c, 0, 0, d.radius}, s) })
	}
}

// drawCells draws the cells without pieces: brightest next to a piece, dim where a piece is still
// allowed, and fading out beyond.
func (d *hextictactoeDrawing) drawCells(c Canvas) {
	const (
		fade = 4 // cells beyond the view distance
		dim  = 0.4
	)
	view := d.now.ViewDistance
	reached := map[hexgrid.Coord]bool{}
	var ring, next []hexgrid.Coord
	for _, p := range d.now.Board.Cells {
		if at := upright(p.Coord); d.visible(at) {
			reached[at] = true
			ring = append(ring, at)
		}
	}
	for far := 1; far <= view+fade && len(ring) > 0; far++ {
		level := dim * (1 - float64(far-view)/(fade+1))
		if far <= view {
			level = 1 - (1-dim)*float64(far-1)/float64(max(1, view-1))
		}
		next = next[:0]
		for _, from := range ring {
			for _, dir := range hexgrid.Dirs {
				if at := from.Step(dir); !reached[at] && d.visible(at) {
					reached[at] = true
					next = append(next, at)
					d.put(c, at, stone{level: uint8(level*100 + 0.5)})
				}
			}
		}
		ring, next = next, ring
	}
}

// drawRows draws a capsule around each winning row.
func (d *hextictactoeDrawing) drawRows(c Canvas) {
	for _, ends := range runs(d.now.Row, d.now.WinDistance) {
		if a, b := upright(ends[0]), upright(ends[1]); d.visible(a) && d.visible(b) {
			from, to := d.center(a), d.center(b)
			penAt(c, from, d.radius).Fill(capsule(Point{
				float64(to.X-from.X) / d.radius, float64(to.Y-from.Y) / d.radius,
			}), accentInk, 1)
		}
	}
}

// drawSides draws the players and their clocks below the board. The side that is to move, or
// has won, is bright.
func (d *hextictactoeDrawing) drawSides(c Canvas) {
	var entries []entry
	for i, side := range []hextictactoe.Side{hextictactoe.X, hextictactoe.O} {
		e := entry{slot: i, name: d.names[i], nameInk: quietInk, valueInk: quietInk}
		if d.now.ahead(side) {
			e.nameInk, e.valueInk = textInk, textInk
		}
		if left := d.now.Clocks[side.String()]; left != nil {
			e.value = clockText(*left)
		}
		e.glyph = func(p Pen) { p.At(0, 0, 0.5).Fill(symbol(side), lineOf(int(side.Player())), 1) }
		entries = append(entries, e)
	}
	d.writeStrip(c, entries, d.now.Move, max(0, d.now.TurnLimit))
}

// clockText formats a time as 4:07, or as 0:12.8 when little is left.
func clockText(ms int64) string {
	const short = 20_000
	ms = max(0, ms)
	if ms < short {
		tenths := ms / 100
		return fmt.Sprintf("0:%02d.%d", tenths/10, tenths%10)
	}
	seconds := ms / 1000
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
