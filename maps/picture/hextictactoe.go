package picture

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/hexarena/hexarena/maps"
)

// hextictactoeDrawing is the Drawing of a game of hexagonal tic-tac-toe. Few cells are visible,
// so each turn is drawn as a whole.
type hextictactoeDrawing struct {
	lettering
	window  *window
	names   [2]string
	sprites cache[stone, sprite]
	ground  *image.RGBA // the background of the cells
	img     *image.RGBA
	last    *endless // the last position, which determines the window
	now     *endless
}

// NewHextictactoe returns the drawing of a game of hexagonal tic-tac-toe. Last is the last
// state: all images show the part of the board with its pieces. Names are those of x and o.
func NewHextictactoe(last []byte, names []string, o Options) (Drawing, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s, err := parseEndless(last)
	if err != nil {
		return nil, err
	}
	w, err := newWindow(s.Board.Cells, o.Size)
	if err != nil {
		return nil, err
	}
	d := &hextictactoeDrawing{lettering: newLettering(o.Light), window: w, sprites: cache[stone, sprite]{}, last: s, now: s}
	copy(d.names[:], names)
	d.ground = drawStage(w.size, w.strip, d.paints)
	d.img = clone(d.ground)
	return d, nil
}

// Follow implements Drawing.
func (d *hextictactoeDrawing) Follow(m *Moment) (err error) {
	s, err := parseEndless(m.State)
	if err == nil {
		d.now = s
	}
	return err
}

// Image implements Drawing.
func (d *hextictactoeDrawing) Image() *image.RGBA { return d.img }

// Draw implements Drawing.
func (d *hextictactoeDrawing) Draw() image.Rectangle {
	copy(d.img.Pix, d.ground.Pix)
	d.drawCells()
	d.drawStones()
	d.drawMoves()
	d.drawRows()
	d.writeSides()
	return d.img.Rect
}

// Palette implements Drawing. The colours are those of the first and the last position, with
// and without a winning row.
func (d *hextictactoeDrawing) Palette(n int) color.Palette {
	first, open := *d.last, *d.last
	first.Board.Cells, first.Previous, first.Row = first.Board.Cells[:1], nil, nil
	open.Row = nil
	all := image.NewRGBA(image.Rect(0, 0, d.img.Rect.Dx(), 3*d.img.Rect.Dy()))
	sample := *d
	sample.img = clone(d.ground)
	for i, s := range []*endless{&first, &open, d.last} {
		sample.now = s
		sample.Draw()
		draw.Draw(all, sample.img.Rect.Add(image.Pt(0, i*d.img.Rect.Dy())), sample.img, image.Point{}, draw.Src)
	}
	return medianCut(all, n)
}

// drawCells draws the cells without pieces: brightest next to a piece, dim where a piece is still
// allowed, and fading out beyond.
func (d *hextictactoeDrawing) drawCells() {
	const (
		fade = 4 // cells beyond the view distance
		dim  = 0.4
	)
	view := d.now.ViewDistance
	d.window.spread(d.now.Board.Cells, view+fade)
	d.window.each(func(at image.Point, far int) {
		if far == 0 || far > view+fade {
			return
		}
		alpha := dim * (1 - float64(far-view)/(fade+1))
		if far <= view {
			alpha = 1 - (1-dim)*float64(far-1)/float64(max(1, view-1))
		}
		d.stone(stone{level: uint8(alpha*100 + 0.5)}).put(d.img, at)
	})
}

// drawStones draws the pieces.
func (d *hextictactoeDrawing) drawStones() {
	faded := d.now.faded()
	for _, p := range d.now.Board.Cells {
		if at, ok := d.window.at(p.Coord); ok {
			d.stone(stone{side: p.side, faded: faded(p.Coord)}).put(d.img, at)
		}
	}
}

// drawMoves outlines the last move, and the one before with dashes.
func (d *hextictactoeDrawing) drawMoves() {
	moves := d.now.Previous
	for i, m := range moves {
		for _, c := range m.Pieces {
			if at, ok := d.window.at(c); ok {
				d.stone(stone{outline: true, faded: i < len(moves)-1}).put(d.img, at)
			}
		}
	}
}

// drawRows draws a capsule around each winning row.
func (d *hextictactoeDrawing) drawRows() {
	const reach, width = 0.98, 0.15
	for _, ends := range runs(d.now.Row, d.now.WinDistance) {
		a, okA := d.window.at(ends[0])
		b, okB := d.window.at(ends[1])
		if !okA || !okB {
			continue
		}
		r := d.window.radius
		p := pen{d.img, float64(a.X), float64(a.Y), r}
		to := point{float64(b.X-a.X) / r, float64(b.Y-a.Y) / r}
		box := p.box(min(0, to.x)-2, min(0, to.y)-2, max(0, to.x)+2, max(0, to.y)+2)
		p.fillIn(box, outlined(line(point{}, to, 2*reach), width), 1, flat(d.accent()))
	}
}

// accent returns the colour of marks.
func (d *hextictactoeDrawing) accent() maps.Color {
	if d.paints.light {
		return d.paints.Text
	}
	return white
}
