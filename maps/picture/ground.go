package picture

import (
	"image"
	"math"
)

// drawGround draws the background of the cells: the stage with its glow, the shadow of the
// board, and its rim.
func drawGround(l *layout, t paints) *image.RGBA {
	img := drawStage(l.size, l.strip, t)
	slab := make([]float32, len(l.owner))
	for k, owner := range l.owner {
		slab[k] = 1
		if owner < 0 {
			slab[k] = float32(covered(float64(l.beyond[k]) - rimWidth*l.radius))
		}
	}
	shadow := blurred(slab, l.size.X, l.size.Y, 0.55*l.radius)
	down := int(math.Round(0.35 * l.radius))
	depth := t.share(0.45, 0.28)
	for y := range l.size.Y {
		for x := range l.size.X {
			k := y*l.size.X + x
			pix := img.Pix[4*k:]
			if y >= down {
				blend(pix, black.Mix(t.Quiet, t.share(0, 1)), depth*float64(shadow[k-down*l.size.X]))
			}
			blend(pix, t.Rim, float64(slab[k]))
		}
	}
	return img
}

// drawStage draws the stage, which glows in the middle of the area above the strip.
func drawStage(size image.Point, strip int, t paints) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	p := pen{img, float64(size.X) / 2, float64(size.Y-strip) / 2, 1}
	far := 0.7 * length(p.x, p.y)
	for y := range size.Y {
		for x := range size.X {
			glow := max(0, 1-length(float64(x)+0.5-p.x, float64(y)+0.5-p.y)/far)
			blend(img.Pix[img.PixOffset(x, y):], t.Stage.Mix(t.Glow, glow), 1)
		}
	}
	return img
}

// blurred applies three box filters, which approximate a Gaussian with that sigma.
func blurred(values []float32, width, height int, sigma float64) []float32 {
	r := max(1, int(math.Round(sigma)))
	a, b := values, make([]float32, len(values))
	for range 3 {
		c := make([]float32, len(values))
		for y := range height {
			blurLine(b[y*width:], a[y*width:], width, 1, r)
		}
		for x := range width {
			blurLine(c[x:], b[x:], height, width, r)
		}
		a = c
	}
	return a
}

// blurLine replaces each of n values, step apart, with the mean of its surroundings.
func blurLine(dst, src []float32, n, step, r int) {
	var sum float32
	for i := -r; i < n; i++ {
		if i+r < n {
			sum += src[(i+r)*step]
		}
		if i-r-1 >= 0 {
			sum -= src[(i-r-1)*step]
		}
		if i >= 0 {
			dst[i*step] = max(0, sum/float32(2*r+1))
		}
	}
}
