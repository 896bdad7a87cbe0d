package picture

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strconv"
)

// entry is a player in the strip below the board.
type entry struct {
	slot int
	// draws the slot's sign around the origin; its unit is the height of the strip
	glyph             func(p Pen)
	name, value       string
	nameInk, valueInk Ink // of the name and of the value
	score             int // the players with the best scores are shown if there is no room for all
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

// glyph identifies the sign of a slot.
type glyph struct{ slot int }

// backStrip draws the background of the strip.
func (f *frame) backStrip(c Canvas) {
	width, top, bottom := float64(f.size.X), float64(f.board.Max.Y), float64(f.size.Y)
	Pen{c, 0, 0, 1}.Fill(
		polygon(0, Point{0, top}, Point{width, top}, Point{width, bottom}, Point{0, bottom}), gapInk, 1)
}

// widestValue is the width reserved for every score or clock, so that the layout never
// changes during a match.
const widestValue = "000" + thinSpace + "000"

// writeStrip writes the players below the board and, if last is not negative, the turn and
// the last turn; zero means that the match has no last turn.
func (f *frame) writeStrip(c Canvas, entries []entry, turn, last int) {
	top := float64(f.board.Max.Y)
	h := float64(f.size.Y) - top
	middle := top + h/2
	margin, size, small, gap := 0.4*h, 0.32*h, 0.25*h, 0.18*h
	base := middle + 0.36*size
	right := float64(f.size.X) - margin
	if last >= 0 {
		right = f.writeTurn(c, right, base, size, turn, last) - 0.3*h
	}
	const sign = 0.6 // width of a glyph
	least := sign*h + f.width("00"+thinSpace+"000", true, size) + 0.2*h
	room := right - margin
	shown := min(len(entries), max(1, int(room/least)))
	each := room / float64(max(1, shown))
	if shown < len(entries) {
		shown--
		slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.score, a.score) })
		rest := "+" + strconv.Itoa(len(entries)-shown)
		c.Write(Label{rest, false, size, 0}, margin+float64(shown)*each, base, quietInk)
	}
	entries = entries[:max(0, shown)]
	room = each - sign*h - 0.2*h
	above := slices.ContainsFunc(entries, func(e entry) bool { // names are above values
		return e.value != "" &&
			f.width(printable(e.name), false, size)+gap+f.width(widestValue, true, size) > room
	})
	for i, e := range entries {
		x := margin + float64(i)*each
		c.Stamp(glyph{e.slot}, image.Pt(round(x+0.2*h), round(middle)), 0.5*h,
			func(c Canvas) { e.glyph(Pen{c, 0, 0, h}) })
		x += sign * h
		name := printable(e.name)
		switch {
		case e.value == "":
			c.Write(Label{f.fitting(name, false, size, room), false, size, 0}, x, base, e.nameInk)
		case above:
			c.Write(Label{f.fitting(name, false, small, room), false, small, 0}, x, middle-0.08*h, e.nameInk)
			c.Write(Label{e.value, true, size, 0}, x, middle+0.30*h, e.valueInk)
		default:
			c.Write(Label{name, false, size, 0}, x, base, e.nameInk)
			c.Write(Label{e.value, true, size, 0}, x+f.width(name, false, size)+gap, base, e.valueInk)
		}
	}
}

// writeTurn writes the turn, aligned to the right, and returns its left edge, which leaves room
// for any turn.
func (f *frame) writeTurn(c Canvas, right, base, size float64, turn, last int) float64 {
	now, end := numberOf(turn), strconv.Itoa(last)
	if last > 0 {
		c.Write(Label{" / " + end, false, size, 1}, right, base, quietInk)
		right -= f.width(" / "+end, false, size)
	}
	c.Write(Label{now, true, size, 1}, right, base, textInk)
	return right - float64(max(len(now), len(end)))*f.width("0", true, size)
}

// numberOf returns the number of a turn; "start" before the first.
func numberOf(turn int) string {
	if turn < 0 {
		return "start"
	}
	return strconv.Itoa(turn)
}

// titleOf returns a title with the turn; zero means that there is no last one.
func titleOf(text string, turn, last int) string {
	if last <= 0 {
		return text + " " + numberOf(turn)
	}
	return fmt.Sprintf("%s %s of %d", text, numberOf(turn), last)
}

// spaced groups digits by thousands.
func spaced(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + thinSpace + digits[i:]
	}
	return digits
}

func round(v float64) int {
	if v < 0 {
		return -int(0.5 - v)
	}
	return int(v + 0.5)
}
