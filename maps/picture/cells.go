package picture

import (
	"image"
	"math"

	"github.com/hexarena/hexarena/maps"
)

// Line widths and other measures of a cell, in radii.
const (
	gapWidth   = 0.085
	lineWidth  = 0.17
	rimWidth   = 0.21
	tileRadius = 0.955
	tileCorner = 0.20
	markRadius = 0.21
)

// Radii in pixels from which details are drawn.
const (
	radiusMark   = 8
	radiusRim    = 9
	radiusNumber = 12
	radiusDots   = 17
)

// free is the slot of a cell without an owner, spectre that of special players.
const (
	free    = -2
	spectre = -1
)

// tile is the appearance of a cell without anything on it.
type tile struct {
	slot   int32
	marked bool
	border uint8 // bit set of the edges to cells of other owners or to the end of the board
	rim    uint8 // bit set of the edges to the end of the board
}

// paints holds the colours of a drawing.
type paints struct {
	*maps.Theme
	light bool
}

// fill returns the colour of a slot's cells, line that of its lines.
func (t paints) fill(slot int) maps.Color {
	switch slot {
	case free:
		return t.Free
	case spectre:
		return t.GhostFill
	}
	return t.Tones(maps.PlayerLook(slot)).Strong
}

func (t paints) line(slot int) maps.Color {
	if slot < 0 {
		return t.GhostLine.Mix(t.Ghost, t.share(1, 0))
	}
	return t.Tones(maps.PlayerLook(slot)).Line
}

// share returns one of two numbers, for dark and light backgrounds.
func (t paints) share(dark, light float64) float64 {
	if t.light {
		return light
	}
	return dark
}

var (
	black = maps.Hex(0)
	white = maps.Hex(0xFFFFFF)
)

// tile returns the sprite of a cell. All pixels of the cell are opaque.
func (d *hexabombDrawing) tile(t tile) sprite {
	return d.tiles.get(t, func() sprite {
		if t.border == 0 {
			return d.drawTile(t)
		}
		plain := t
		plain.border = 0
		s := sprite{clone(d.tile(plain).RGBA)}
		d.drawBorder(pen{s.RGBA, 0, 0, d.layout.radius}, t)
		return s
	})
}

// drawTile draws a cell without borders.
func (d *hexabombDrawing) drawTile(t tile) sprite {
	half := max(d.layout.halfWidth, cornerOf(d.layout.pitch)+1)
	s := sprite{image.NewRGBA(image.Rect(-half, -half, half, half))}
	p := pen{s.RGBA, 0, 0, d.layout.radius}
	corners := d.layout.corners(p.scale)
	slot, fill := int(t.slot), d.paints.fill(int(t.slot))
	p.fill(everywhere, d.paints.Rim, 1)
	seam := d.paints.Seam
	if slot != free {
		seam = fill.Mix(black, 0.24)
		if d.paints.light {
			seam = fill.Mix(white, 0.38)
		}
	}
	p.fill(insideEdges(corners, t.rim), seam, 1)
	top, bottom := d.paints.share(0.05, 0.10), d.paints.share(0.06, 0.03)
	p.shade(tileShape(corners), 1, func(y float64) maps.Color {
		return fill.Mix(white, top).Mix(fill.Mix(black, bottom), min(1, max(0, (y+1)/2)))
	})
	if t.marked && slot != free && p.scale >= radiusMark {
		mark := p.at(0, 0, markRadius)
		mark.fillIn(mark.box(-1.5, -1.5, 1.5, 1.5), d.shape(slot), d.markAlpha, flat(d.paints.line(slot)))
	}
	return s
}

// tileShape is a cell without its seam, with rounded corners.
func tileShape(corners []point) distance {
	const k = tileRadius - tileCorner/0.8660254
	return inflated(scaled(corners, k), tileCorner)
}

// scaled returns a polygon scaled by k.
func scaled(polygon []point, k float64) []point {
	list := make([]point, len(polygon))
	for i, c := range polygon {
		list[i] = point{c.x * k, c.y * k}
	}
	return list
}

// drawBorder draws the lines where an owner's area ends.
func (d *hexabombDrawing) drawBorder(p pen, t tile) {
	corners := d.layout.corners(p.scale)
	if t.slot == free { // the gaps of neighbours extend into it
		p.fill(edgeLines(corners, t.border&^t.rim, gapWidth), d.paints.Gap, 1)
		return
	}
	p.fill(borderLines(corners, t.border), d.paints.line(int(t.slot)), 1)
	p.fill(edgeLines(corners, t.border, gapWidth), d.paints.Gap, 1)
}

func everywhere(float64, float64) float64 { return math.Inf(-1) }

// insideEdges is the inner side of some edges of a cell.
func insideEdges(corners []point, which uint8) distance {
	return func(x, y float64) float64 {
		d := math.Inf(-1)
		for e := range corners {
			if which&(1<<e) != 0 {
				a, b := corners[e], corners[(e+1)%6]
				d = max(d, ((b.y-a.y)*(x-a.x)-(b.x-a.x)*(y-a.y))/length(b.x-a.x, b.y-a.y))
			}
		}
		return d
	}
}

// edgeLines consists of lines along some edges of a cell.
func edgeLines(corners []point, which uint8, width float64) distance {
	var lines []distance
	for e := range corners {
		if which&(1<<e) != 0 {
			lines = append(lines, line(corners[e], corners[(e+1)%6], width))
		}
	}
	return union(lines...)
}

// borderLines is the owner's line inside its own cell, along the edges where its area ends.
// Where the area continues, the line continues in the next cell.
func borderLines(corners []point, which uint8) distance {
	inset := (gapWidth + lineWidth) / 2 / math.Cos(math.Pi/6)
	has := func(e int) bool { return which&(1<<((e+6)%6)) != 0 }
	inner := func(corner int, convex bool, towards int) point {
		p, t := corners[corner%6], corners[(towards+6)%6]
		if convex {
			return point{p.x * (1 - inset), p.y * (1 - inset)}
		}
		return point{p.x + (t.x-p.x)*inset, p.y + (t.y-p.y)*inset}
	}
	var lines []distance
	for e := range corners {
		if has(e) {
			lines = append(lines, line(inner(e, has(e-1), e-1), inner(e+1, has(e+1), e+2), lineWidth))
		}
	}
	return union(lines...)
}

// putTile draws a cell and, at the edge of the board, the ground next to it.
func (d *hexabombDrawing) putTile(dst *image.RGBA, cell int32, t tile) {
	s := d.tile(t)
	m := d.layout.middles[cell]
	for _, o := range d.layout.own {
		from := s.PixOffset(o.x0, o.y)
		copy(dst.Pix[dst.PixOffset(m.X+o.x0, m.Y+o.y):], s.Pix[from:from+4*(o.x1-o.x0)])
	}
	for _, o := range d.layout.around[cell] {
		copySpan(dst, d.ground, o)
	}
}

// copySpan copies a span of pixels between two images of the same size.
func copySpan(dst, src *image.RGBA, s span) {
	from, to := src.PixOffset(s.x0, s.y), src.PixOffset(s.x1, s.y)
	copy(dst.Pix[from:to], src.Pix[from:to])
}
