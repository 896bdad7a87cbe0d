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

// fonts holds the faces of the fonts in the sizes that were used.
type fonts map[faceKey]font.Face

type faceKey struct {
	bold bool
	size int // in quarters of a pixel
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

func (f fonts) face(bold bool, size float64) font.Face {
	key := faceKey{bold, max(4, int(math.Round(4*size)))}
	if f[key] == nil {
		parsed := regularFont
		if bold {
			parsed = boldFont
		}
		size := float64(key.size) / 4
		face, err := opentype.NewFace(parsed(), &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			panic(err) // only for invalid sizes
		}
		f[key] = face
	}
	return f[key]
}

// thinSpace separates thousands. The fonts lack it, so pixels have an ordinary space.
const thinSpace = "\u2009"

// drawable returns a text with characters of the fonts.
func drawable(text string) string { return strings.ReplaceAll(text, thinSpace, " ") }

// width returns the width of a text in pixels.
func (f fonts) width(text string, bold bool, size float64) float64 {
	return float64(font.MeasureString(f.face(bold, size), drawable(text))) / 64
}

// fitting returns the longest prefix of a name that fits.
func (f fonts) fitting(name string, bold bool, size, room float64) string {
	if f.width(name, bold, size) <= room {
		return name
	}
	runes := []rune(name)
	for n := min(len(runes)-1, int(room)); n > 0; n-- {
		if short := string(runes[:n]) + "…"; f.width(short, bold, size) <= room {
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
