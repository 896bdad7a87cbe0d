package picture

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	"github.com/hexarena/hexarena/maps"
)

// Image draws the turns of a match as pixels.
type Image struct {
	drawing Drawing
	raster
}

// NewImage returns the image of a drawing.
func NewImage(d Drawing) *Image {
	return &Image{d, newRaster(image.Rectangle{Max: d.Size()}, d.Light(), fonts{})}
}

// Draw draws the last turn that the drawing followed. The image belongs to i and is changed by
// the next call.
func (i *Image) Draw() *image.RGBA {
	i.drawing.Draw(&i.raster)
	return i.img
}

// raster is a canvas of pixels.
type raster struct {
	img     *image.RGBA
	light   bool
	fonts   fonts
	back    []uint8 // the pixels of the background; nil before it was drawn
	sprites map[any]*image.RGBA
	cover   []float32       // scratch: how much of each pixel a shape covers
	used    image.Rectangle // where anything was drawn
}

func newRaster(size image.Rectangle, light bool, f fonts) raster {
	return raster{fonts: f, img: image.NewRGBA(size), light: light, sprites: map[any]*image.RGBA{}}
}

func (r *raster) Background(draw func(c Canvas)) {
	if r.back == nil {
		draw(r)
		r.back = append(r.back, r.img.Pix...)
	}
	copy(r.img.Pix, r.back)
}

func (r *raster) Stage(middle image.Rectangle, glow, edge Ink) {
	x0, y0 := float64(middle.Min.X+middle.Max.X)/2, float64(middle.Min.Y+middle.Max.Y)/2
	far := 0.7 * length(x0, y0)
	for y := range r.img.Rect.Dy() {
		for x := range r.img.Rect.Dx() {
			share := max(0, 1-length(float64(x)+0.5-x0, float64(y)+0.5-y0)/far)
			blend(r.img.Pix[r.img.PixOffset(x, y):], edge.on(r.light).Mix(glow.on(r.light), share), 1)
		}
	}
}

// Fill implements Canvas. A pixel is covered as much as by the line of the shape that covers
// most of it, so that lines that overlap do not add up.
func (r *raster) Fill(s Shape, x, y, scale float64, p Paint) {
	edge := max(1, p.Soft*scale) // in pixels
	boxes := make([]image.Rectangle, len(s.Lines))
	var box image.Rectangle
	for i := range s.Lines {
		boxes[i] = boxOf(Shape{Lines: s.Lines[i : i+1], Width: s.Width + edge/scale}, x, y,
			scale).Intersect(r.img.Rect)
		box = box.Union(boxes[i])
	}
	width := box.Dx()
	if n := width * box.Dy(); n > cap(r.cover) {
		r.cover = make([]float32, n)
	} else {
		r.cover = r.cover[:n]
		clear(r.cover)
	}
	for i, line := range s.Lines {
		for py := boxes[i].Min.Y; py < boxes[i].Max.Y; py++ {
			row := r.cover[(py-box.Min.Y)*width:]
			for px := boxes[i].Min.X; px < boxes[i].Max.X; px++ {
				if cover := &row[px-box.Min.X]; *cover < 1 {
					d := s.distance(line, (float64(px)+0.5-x)/scale, (float64(py)+0.5-y)/scale) * scale
					*cover = max(*cover, float32(min(1, 0.5-d/edge)))
				}
			}
		}
	}
	top, bottom := p.Top.on(r.light), p.Bottom.on(r.light)
	for py := range box.Dy() {
		c := top
		if top != bottom {
			c = top.Mix(bottom, (float64(py)+0.5)/float64(box.Dy()))
		}
		pix := r.img.Pix[r.img.PixOffset(box.Min.X, box.Min.Y+py):]
		for px, cover := range r.cover[py*width : (py+1)*width] {
			if cover > 0 {
				blend(pix[4*px:], c, float64(cover)*p.Alpha)
			}
		}
	}
	r.used = r.used.Union(box)
}

// boxOf returns the pixels that a shape may cover.
func boxOf(s Shape, x, y, scale float64) image.Rectangle {
	low, high := s.bounds()
	return image.Rect(int(math.Floor(x+low.X*scale)), int(math.Floor(y+low.Y*scale)),
		int(math.Ceil(x+high.X*scale)), int(math.Ceil(y+high.Y*scale)))
}

// blend blends a colour over the first pixel of pix.
func blend(pix []uint8, c maps.Color, alpha float64) {
	r, g, b, _ := c.RGB()
	a := uint32(alpha*255 + 0.5)
	for i, v := range [...]uint8{r, g, b, 255} {
		pix[i] = uint8((uint32(v)*a + uint32(pix[i])*(255-a) + 127) / 255)
	}
}

func (r *raster) Write(l Label, x, y float64, c Ink) {
	if l.Anchor > 0 {
		x -= l.Anchor * r.fonts.width(l.Text, l.Bold, l.Size)
	}
	red, green, blue, _ := c.on(r.light).RGB()
	drawer := font.Drawer{
		Dst: r.img, Src: image.NewUniform(color.RGBA{red, green, blue, 255}),
		Face: r.fonts.face(l.Bold, l.Size),
		Dot:  fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(y * 64))},
	}
	drawer.DrawString(drawable(l.Text))
	box := image.Rect(int(x)-1, int(y-l.Size)-1, drawer.Dot.X.Ceil()+1, int(y+l.Size/2))
	r.used = r.used.Union(box.Intersect(r.img.Rect))
}

func (r *raster) Stamp(key any, at image.Point, reach float64, draw func(c Canvas)) {
	s, ok := r.sprites[key]
	if !ok {
		half := int(math.Ceil(reach)) + 1
		sprite := newRaster(image.Rect(-half, -half, half, half), r.light, r.fonts)
		draw(&sprite)
		s = sprite.img.SubImage(sprite.used).(*image.RGBA)
		r.sprites[key] = s
	}
	box := s.Rect.Add(at).Intersect(r.img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from := s.Pix[s.PixOffset(box.Min.X-at.X, y-at.Y):]
		to := r.img.Pix[r.img.PixOffset(box.Min.X, y):]
		for i := 0; i < 4*box.Dx(); i += 4 {
			switch a := uint32(from[i+3]); a {
			case 0:
			case 255:
				copy(to[i:i+4], from[i:i+4])
			default:
				for k := range 4 {
					to[i+k] = uint8(uint32(from[i+k]) + (uint32(to[i+k])*(255-a)+127)/255)
				}
			}
		}
	}
}
