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

// typeface is a font; the faces of its sizes are made when they are needed.
type typeface struct {
	font  func() *opentype.Font
	faces kept[int, font.Face] // by size in quarters of a pixel
}

var (
	regular = sync.OnceValue(func() *opentype.Font { return mustParse(goregular.TTF) })
	bold    = sync.OnceValue(func() *opentype.Font { return mustParse(gobold.TTF) })
)

// mustParse reads a font that is part of the program.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

func newTypeface(f func() *opentype.Font) *typeface { return &typeface{f, kept[int, font.Face]{}} }

func (t *typeface) face(size float64) font.Face {
	key := max(4, int(math.Round(4*size)))
	return t.faces.get(key, func() font.Face {
		face, err := opentype.NewFace(t.font(), &opentype.FaceOptions{Size: float64(key) / 4, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // it says so of sizes that are not sizes
		}
		return face
	})
}

// thinSpace stands between thousands. The fonts have none: it is a gap.
const thinSpace, thinWidth = "\u2009", 0.2

// width is how wide a text is, in pixels.
func (t *typeface) width(text string, size float64) (w float64) {
	for i, part := range strings.Split(text, thinSpace) {
		if i > 0 {
			w += thinWidth * size
		}
		w += float64(font.MeasureString(t.face(size), part)) / 64
	}
	return w
}

// write writes a text from a point on its base line, in pixels.
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

// center writes a text in the middle of a pen's origin. Digits have no
// descenders: the middle is that of a capital.
func (t *typeface) center(p pen, text string, size float64, c maps.Color) {
	size *= p.scale
	t.write(p.img, text, p.x-t.width(text, size)/2, p.y+0.36*size, size, c)
}
