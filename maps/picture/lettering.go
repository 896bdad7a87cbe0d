package picture

import (
	"image"
	"image/color"
	"image/draw"
	"strconv"
	"strings"
	"unicode"

	"github.com/hexarena/hexarena/maps"
)

// lettering holds the fonts and colours of the strip below a board.
type lettering struct {
	paints  paints
	bold    *typeface
	regular *typeface
}

func newLettering(light bool) lettering {
	theme := &maps.DarkTheme
	if light {
		theme = &maps.LightTheme
	}
	return lettering{paints{theme, light}, newTypeface(bold), newTypeface(regular)}
}

// backStrip draws the background of a strip of that height and returns its rectangle.
func (l *lettering) backStrip(img *image.RGBA, height int) image.Rectangle {
	box := img.Rect
	box.Min.Y = box.Max.Y - height
	r, g, b, _ := l.paints.Gap.RGB()
	draw.Draw(img, box, image.NewUniform(color.RGBA{r, g, b, 255}), image.Point{}, draw.Src)
	return box
}

// writeTurn writes the turn, aligned to the right, and returns its left edge, which leaves room
// for any turn. turns is 0 if the match has no last turn.
func (l *lettering) writeTurn(img *image.RGBA, right, base, size float64, turn, turns int) float64 {
	now, last := strconv.Itoa(turn), strconv.Itoa(turns)
	if turns > 0 {
		right -= l.regular.width(" / "+last, size)
		l.regular.write(img, " / "+last, right, base, size, l.paints.Quiet)
	}
	digit := l.bold.width("0", size)
	l.bold.write(img, now, right-float64(len(now))*digit, base, size, l.paints.Text)
	return right - float64(max(len(now), len(last)))*digit
}

// fitting returns the longest prefix of a name that fits.
func (l *lettering) fitting(name string, size, room float64) string {
	name = printable(name)
	if l.regular.width(name, size) <= room {
		return name
	}
	runes := []rune(name)
	for n := min(len(runes)-1, int(room)); n > 0; n-- {
		if short := string(runes[:n]) + "…"; l.regular.width(short, size) <= room {
			return short
		}
	}
	return ""
}

// printable returns a name without characters that cannot be drawn, such as line feeds.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
}
