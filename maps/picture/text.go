package picture

import (
	"image"
	"image/color"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/hexarena/hexarena/maps"
)

// typeface is a font; the faces of its sizes are created on demand.
type typeface struct {
	font  func() *opentype.Font
	faces cache[int, font.Face] // by size in quarters of a pixel
}

var (
	regular = sync.OnceValue(func() *opentype.Font { return mustParse(goregular.TTF) })
	bold    = sync.OnceValue(func() *opentype.Font { return mustParse(gobold.TTF) })
)

// mustParse parses an embedded font.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

func newTypeface(f func() *opentype.Font) *typeface { return &typeface{f, cache[int, font.Face]{}} }

func (t *typeface) face(size float64) font.Face {
	key := max(4, int(math.Round(4*size)))
	return t.faces.get(key, func() font.Face {
		face, err := opentype.NewFace(t.font(), &opentype.FaceOptions{Size: float64(key) / 4, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // only for invalid sizes
		}
		return face
	})
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

// write writes a text that starts at a point on its base line, in pixels.
func (t *typeface) write(img *image.RGBA, text string, x, y, size float64, c maps.Color) {
	r, g, b, _ := c.RGB()
	d := font.Drawer{
		Dst: img, Src: image.NewUniform(color.RGBA{r, g, b, 255}), Face: t.face(size),
		Dot: fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(y * 64))},
	}
	for i, part := range strings.Split(text, thinSpace) {
		if i > 0 {
			d.Dot.X += fixed.Int26_6(math.Round(64 * thinWidth * size))
		}
		d.DrawString(part)
	}
}

// center writes a text centred on a pen's origin. Digits have no descenders, so the
// centre is that of a capital letter.
func (t *typeface) center(p pen, text string, size float64, c maps.Color) {
	size *= p.scale
	t.write(p.img, text, p.x-t.width(text, size)/2, p.y+0.36*size, size, c)
}
