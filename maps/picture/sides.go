package picture

import (
	"fmt"
	"image"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/maps"
)

// writeSides writes the players, their clocks and the move below the board. The side that is to
// move, or has won, is bright.
func (d *hextictactoeDrawing) writeSides() {
	box := d.backStrip(d.img, d.window.strip)
	h := float64(d.window.strip)
	middle := float64(box.Min.Y) + h/2
	margin, size := 0.4*h, 0.32*h
	room := d.writeTurn(d.img, float64(box.Dx())-margin, middle+0.36*size, size, d.now.Move, d.now.TurnLimit) - margin - 0.3*h
	each, glyph := room/2, 0.62*h
	for i, side := range []hextictactoe.Side{hextictactoe.X, hextictactoe.O} {
		x := margin + float64(i)*each
		p := pen{d.img, float64(round(x + 0.2*h)), middle, 0.5 * h}
		p.fillIn(p.box(-0.6, -0.6, 0.6, 0.6), symbol(side), 1, flat(d.paints.line(int(side.Player()))))
		x += glyph
		left := each - glyph - 0.3*h
		tone := d.paints.Quiet
		if d.now.ahead(side) {
			tone = d.paints.Text
		}
		d.writeSide(d.names[i], d.now.Clocks[side.String()], image.Pt(round(x), round(middle)), left, tone)
	}
}

// writeSide writes a name and its clock, if any: side by side if there is room, otherwise one above
// the other.
func (d *hextictactoeDrawing) writeSide(name string, clock *int64, at image.Point, room float64, tone maps.Color) {
	h, x, y := float64(d.window.strip), float64(at.X), float64(at.Y)
	size, small, gap := 0.32*h, 0.25*h, 0.18*h
	base := y + 0.36*size
	if clock == nil {
		d.regular.write(d.img, d.fitting(name, size, room), x, base, size, tone)
		return
	}
	width := d.regular.width(printable(name), size)
	if width+gap+d.bold.width(widestClock, size) <= room {
		d.regular.write(d.img, printable(name), x, base, size, tone)
		d.bold.write(d.img, clockText(*clock), x+width+gap, base, size, tone)
		return
	}
	d.regular.write(d.img, d.fitting(name, small, room), x, y-0.08*h, small, tone)
	d.bold.write(d.img, clockText(*clock), x, y+0.30*h, size, tone)
}

// widestClock is the widest usual clock; its width is reserved, so that the layout never changes.
const widestClock = "00:00.0"

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
