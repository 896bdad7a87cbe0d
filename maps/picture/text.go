package picture

import (
	"image/color"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/hexarena/hexarena/maps"
)

// lettering holds the fonts of a picture.
type lettering struct{ bold, regular *typeface }

// typeface is a font; the faces of its sizes are created on demand.
type typeface struct {
	font  func() *opentype.Font
	bold  bool
	faces map[int]font.Face // by size in quarters of a pixel
}

var (
	regularFont = sync.OnceValue(func() *opentype.Font { return mustParse(goregular.TTF) })
	boldFont    = sync.OnceValue(func() *opentype.Font { return mustParse(gobold.TTF) })
)

// mustParse parses an embedded font.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

func newLettering() lettering {
	return lettering{&typeface{boldFont, true, map[int]font.Face{}}, &typeface{regularFont, false, map[int]font.Face{}}}
}

func (t *typeface) face(size float64) font.Face {
	key := max(4, int(math.Round(4*size)))
	if t.faces[key] == nil {
		face, err := opentype.NewFace(t.font(), &opentype.FaceOptions{Size: float64(key) / 4, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // only for invalid sizes
		}
		t.faces[key] = face
	}
	return t.faces[key]
}

// thinSpace separates thousands. The fonts lack it, so it is drawn as a gap.
const thinSpace, thinWidth = "\u2009", 0.2

// width returns the width of a text in pixels.
func (t *typeface) width(text string, size float64) (w float64) {
	for i, part := range strings.Split(text, thinSpace) {
		if i > 0 {
			w += thinWidth * size
		}
		w += float64(font.MeasureString(t.face(size), part)) / 64
	}
	return w
}

// draw draws a text and moves the drawer's dot to its end.
func (t *typeface) draw(d *font.Drawer, text string, size float64) {
	d.Face = t.face(size)
	for i, part := range strings.Split(text, thinSpace) {
		if i > 0 {
			d.Dot.X += fixed.Int26_6(math.Round(64 * thinWidth * size))
		}
		d.DrawString(part)
	}
}

// fitting returns the longest prefix of a name that fits.
func (t *typeface) fitting(name string, size, room float64) string {
	if t.width(name, size) <= room {
		return name
	}
	runes := []rune(name)
	for n := min(len(runes)-1, int(room)); n > 0; n-- {
		if short := string(runes[:n]) + "…"; t.width(short, size) <= room {
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

func rgba(c maps.Color) color.RGBA {
	r, g, b, _ := c.RGB()
	return color.RGBA{r, g, b, 255}
}
