package picture

import (
	"cmp"
	"image"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/maps"
)

// entry is a player in the strip below the board.
type entry struct {
	slot  int
	name  string
	score int
}

// text returns the formatted score; special players have none.
func (e *entry) text() string {
	if e.slot == spectre {
		return ""
	}
	return spaced(strconv.Itoa(e.score))
}

// stripHeight returns the height of the strip in pixels for a size of the image.
func stripHeight(size int) int {
	switch {
	case size < 480:
		return max(20, size/10)
	case size > 1280:
		return size * 48 / 1280
	}
	return 48
}

// writeStrip writes the players and the turn and returns the rectangle. If there is no room for all
// players, it shows those with the best scores and the number of the others.
func (d *hexabombDrawing) writeStrip(entries []entry) image.Rectangle {
	box := d.backStrip(d.img, d.layout.strip)
	h := float64(d.layout.strip)
	p := pen{d.img, 0, float64(box.Min.Y) + h/2, h}

	margin, size := 0.4*h, 0.32*h
	room := d.writeTurn(d.img, float64(box.Dx())-margin, p.y+0.36*size, size, d.step, d.match.Turns) - margin - 0.3*h
	glyph := 0.58 * h
	least := glyph + d.bold.width("00"+thinSpace+"000", size) + 0.2*h
	shown := min(len(entries), max(1, int(room/least)))
	each := room / float64(max(1, shown))
	if shown < len(entries) {
		shown--
		slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.score, a.score) })
		rest := "+" + strconv.Itoa(len(entries)-shown)
		d.regular.write(d.img, rest, margin+float64(shown)*each, p.y+0.36*size, size, d.paints.Quiet)
	}
	entries = entries[:max(0, shown)]
	two := slices.ContainsFunc(entries, func(e entry) bool {
		return glyph+d.regular.width(printable(e.name), size)+d.bold.width(widestScore, size)+0.4*h > each
	})
	for i, e := range entries {
		x := margin + float64(i)*each
		d.putGlyph(image.Pt(round(x+0.2*h), round(p.y)), 0.19*h, e.slot)
		x += glyph
		if two { // the name above the score
			small := 0.25 * h
			d.regular.write(d.img, d.fitting(e.name, small, each-glyph-0.1*h), x, p.y-0.08*h, small, d.paints.Quiet)
			d.bold.write(d.img, e.text(), x, p.y+0.30*h, size, d.paints.Text)
			continue
		}
		name := printable(e.name)
		d.regular.write(d.img, name, x, p.y+0.36*size, size, d.paints.Quiet)
		d.bold.write(d.img, e.text(), x+d.regular.width(name, size)+0.18*h, p.y+0.36*size, size, d.paints.Text)
	}
	return box
}

// widestScore is the width reserved for every score, so that the layout never changes
// during a match.
const widestScore = "000" + thinSpace + "000"

// putGlyph draws a player's shape as an icon.
func (d *hexabombDrawing) putGlyph(at image.Point, radius float64, slot int) {
	d.glyphs.get(slot, func() sprite {
		return newSprite(1.8, radius, func(p pen) { d.drawGlyph(p, slot) })
	}).put(d.img, at)
}

// drawGlyph draws a player's shape as an icon.
func (d *hexabombDrawing) drawGlyph(p pen, slot int) {
	shape := d.shape(slot)
	rim, body := white, d.paints.Ghost
	if slot < 0 {
		rim = d.paints.GhostLine
	} else {
		body = d.paints.Tones(maps.PlayerLook(slot)).Body
	}
	p.fill(grown(shape, 0.21), rim, 1)
	p.fill(shape, body, 1)
	if slot < 0 {
		p.fill(union(disc(-0.36, -0.28, 0.18), disc(0.36, -0.28, 0.18)), d.paints.GhostLine, 1)
	}
}

// spaced groups digits by thousands.
func spaced(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + thinSpace + digits[i:]
	}
	return digits
}
