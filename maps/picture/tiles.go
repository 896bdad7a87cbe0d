package picture

import (
	"image"
	"math"
	"slices"
)

// Line widths and other measures of a cell, in radii.
const (
	gapWidth   = 0.085
	lineWidth  = 0.17
	rimWidth   = 0.21
	markRadius = 0.21
)

// Radii in pixels from which details are drawn.
const (
	radiusMark   = 8
	radiusRim    = 9
	radiusNumber = 12
	radiusDots   = 17
)

// tile is a cell without anything on it.
type tile struct {
	slot   int32
	marked bool // with the sign of the owner
}

// border is the lines along the edges of a cell where its owner's area ends.
type border struct {
	slot  int32
	edges uint8 // bit set
}

// drawGround draws the background of the cells that have an owner: the stage with its glow, the
// shadow of the board, its rim, and free cells.
func (d *hexabombDrawing) drawGround(c canvas) {
	d.drawStage(c)
	p := pen{c, 0, 0, d.radius}
	rim := shape{width: 2 * rimWidth, closed: true}
	for i, m := range d.middles {
		if !slices.Contains(d.Near[i][:], -1) {
			continue // hidden by its own tile
		}
		hexagon := d.hexagon(1)
		for i := range hexagon {
			hexagon[i].x += float64(m.X) / p.scale
			hexagon[i].y += float64(m.Y) / p.scale
		}
		rim.lines = append(rim.lines, hexagon)
	}
	const layers, reach = 7, 0.9 // of the shadow, which fades out
	for i := range layers {
		p.at(0, 0.35, 1).fill(rim.grown(reach*(1-float64(i)/layers)-rimWidth), shadowInk, 0.06)
	}
	p.fill(rim, rimInk, 1)
	for _, m := range d.middles {
		d.putTile(c, m, tile{slot: free})
	}
	if d.heading != nil {
		d.heading.write(c, &d.frame)
	}
}

// drawTiles draws the cells that have an owner, and the borders of its area.
func (d *hexabombDrawing) drawTiles(c canvas, occupied func(cell int32) bool) {
	for i, at := range d.middles {
		if slot := d.slot(d.state.Cells[i].Color); slot != free {
			d.putTile(c, at, tile{slot: int32(slot), marked: !occupied(int32(i)) && d.radius >= radiusMark})
		}
	}
	for i, at := range d.middles {
		color := d.state.Cells[i].Color
		b := border{slot: int32(d.slot(color))}
		for e, dir := range edges {
			if n := d.Near[i][dir]; n < 0 || d.state.Cells[n].Color != color {
				b.edges |= 1 << e
			}
		}
		if color != 0 && b.edges != 0 {
			c.stamp(b, at, 1.2*d.radius, func(c canvas) { d.drawBorder(pen{c, 0, 0, d.radius}, b) })
		}
	}
}

func (d *hexabombDrawing) putTile(c canvas, at image.Point, t tile) {
	c.stamp(t, at, 1.2*d.radius, func(c canvas) {
		p, fill, seam := pen{c, 0, 0, d.radius}, fillOf(int(t.slot)), seamInk
		if t.slot != free {
			seam = ink{fill.mix(black, 0.24).dark, fill.mix(white, 0.38).light}
		}
		const overlap = 0.02 // so that nothing shines through between two cells
		p.fill(polygon(overlap, d.hexagon(1)...), seam, 1)
		p.shade(d.tile(), ink{fill.mix(white, 0.05).dark, fill.mix(white, 0.10).light},
			ink{fill.mix(black, 0.06).dark, fill.mix(black, 0.03).light})
		if t.marked {
			p.at(0, 0, markRadius).fill(shapeOf(int(t.slot)).shape, lineOf(int(t.slot)), d.mark)
		}
	})
}

// drawBorder draws the owner's line inside its own cell, along the edges where its area ends,
// and the gap between owners. Where the area continues, the line continues in the next cell.
func (d *hexabombDrawing) drawBorder(p pen, b border) {
	corners := d.hexagon(1)
	inset := (gapWidth + lineWidth) / 2 / math.Cos(math.Pi/6)
	has := func(e int) bool { return b.edges&(1<<((e+6)%6)) != 0 }
	inner := func(corner int, convex bool, towards int) point {
		p, t := corners[corner%6], corners[(towards+6)%6]
		if convex {
			return point{p.x * (1 - inset), p.y * (1 - inset)}
		}
		return point{p.x + (t.x-p.x)*inset, p.y + (t.y-p.y)*inset}
	}
	lines, gaps := shape{width: lineWidth}, shape{width: gapWidth}
	for e := range corners {
		if has(e) {
			lines.lines = append(lines.lines, []point{inner(e, has(e-1), e-1), inner(e+1, has(e+1), e+2)})
			gaps.lines = append(gaps.lines, []point{corners[e], corners[(e+1)%6]})
		}
	}
	p.fill(lines, lineOf(int(b.slot)), 1)
	p.fill(gaps, gapInk, 1)
}
