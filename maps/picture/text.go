package picture

import (
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
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

// thinSpace separates thousands. The fonts lack it, so pixels have an ordinary space.
const thinSpace = "\u2009"

// drawable returns a text with characters of the fonts.
func drawable(text string) string { return strings.ReplaceAll(text, thinSpace, " ") }

// width returns the width of a text in pixels.
func (t *typeface) width(text string, size float64) float64 {
	return float64(font.MeasureString(t.face(size), drawable(text))) / 64
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
