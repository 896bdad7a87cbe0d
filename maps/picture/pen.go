package picture

import (
	"image"
	"math"

	"github.com/hexarena/hexarena/maps"
)

// pen draws shapes on an image, in units of scale pixels around an origin.
type pen struct {
	img   *image.RGBA
	x, y  float64 // the origin, in pixels
	scale float64
}

// at returns a pen with another origin and unit.
func (p pen) at(x, y, size float64) pen {
	return pen{p.img, p.x + x*p.scale, p.y + y*p.scale, p.scale * size}
}

// fill paints a shape.
func (p pen) fill(d distance, c maps.Color, alpha float64) {
	p.fillIn(p.img.Rect, d, alpha, func(float64) maps.Color { return c })
}

// shade paints a shape with a colour that depends on y.
func (p pen) shade(d distance, alpha float64, paint func(y float64) maps.Color) {
	p.fillIn(p.img.Rect, d, alpha, paint)
}

// box returns the pixels of a rectangle given in units.
func (p pen) box(x0, y0, x1, y1 float64) image.Rectangle {
	return image.Rect(int(math.Floor(p.x+x0*p.scale))-1, int(math.Floor(p.y+y0*p.scale))-1,
		int(math.Ceil(p.x+x1*p.scale))+1, int(math.Ceil(p.y+y1*p.scale))+1)
}

func (p pen) fillIn(box image.Rectangle, d distance, alpha float64, paint func(y float64) maps.Color) {
	box = box.Intersect(p.img.Rect)
	for py := box.Min.Y; py < box.Max.Y; py++ {
		y := (float64(py) + 0.5 - p.y) / p.scale
		c := paint(y)
		row := p.img.Pix[p.img.PixOffset(box.Min.X, py):]
		for px := box.Min.X; px < box.Max.X; px++ {
			x := (float64(px) + 0.5 - p.x) / p.scale
			if cover := covered(d(x, y) * p.scale); cover > 0 {
				blend(row, c, cover*alpha)
			}
			row = row[min(4, len(row)):]
		}
	}
}

// covered returns the share of a pixel that a shape covers; d is the distance of the shape's edge
// from the pixel's centre, in pixels.
func covered(d float64) float64 { return min(1, max(0, 0.5-d)) }

// blend blends a colour over the first pixel of pix.
func blend(pix []uint8, c maps.Color, alpha float64) {
	r, g, b, _ := c.RGB()
	a := uint32(alpha*255 + 0.5)
	pix[0] = uint8((uint32(r)*a + uint32(pix[0])*(255-a) + 127) / 255)
	pix[1] = uint8((uint32(g)*a + uint32(pix[1])*(255-a) + 127) / 255)
	pix[2] = uint8((uint32(b)*a + uint32(pix[2])*(255-a) + 127) / 255)
	pix[3] = uint8(a + (uint32(pix[3])*(255-a)+127)/255)
}

// cache holds values by key and creates those that are missing.
type cache[K comparable, V any] map[K]V

func (m cache[K, V]) get(key K, create func() V) V {
	v, ok := m[key]
	if !ok {
		v = create()
		m[key] = v
	}
	return v
}

// sprite is a small image that is drawn repeatedly.
type sprite struct{ *image.RGBA }

// newSprite draws a sprite that extends reach units in each direction from its centre, the
// origin of the pen.
func newSprite(reach, scale float64, draw func(p pen)) sprite {
	half := int(math.Ceil(reach*scale)) + 1
	img := image.NewRGBA(image.Rect(-half, -half, half, half))
	draw(pen{img, 0, 0, scale})
	return sprite{img}
}

// put draws the sprite with its centre at a point.
func (s sprite) put(dst *image.RGBA, at image.Point) {
	box := s.Rect.Add(at).Intersect(dst.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from := s.Pix[s.PixOffset(box.Min.X-at.X, y-at.Y):]
		to := dst.Pix[dst.PixOffset(box.Min.X, y):]
		for i := 0; i < 4*box.Dx(); i += 4 {
			a := uint32(from[i+3])
			if a == 0 {
				continue
			}
			for k := range 4 {
				to[i+k] = uint8(uint32(from[i+k]) + (uint32(to[i+k])*(255-a)+127)/255)
			}
		}
	}
}
