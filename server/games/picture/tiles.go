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
func (d *hexabombDrawing) drawGround(c Canvas) {
	c.Stage(d.board, glowInk, stageInk)
	p := Pen{c, 0, 0, d.radius}
	rim := Shape{Width: 2 * rimWidth, Closed: true}
	for i, m := range d.middles {
		if !slices.Contains(d.Near[i][:], -1) {
			continue // hidden by its own tile
		}
		hexagon := d.hexagon(1)
		for i := range hexagon {
			hexagon[i].X += float64(m.X) / p.Scale
			hexagon[i].Y += float64(m.Y) / p.Scale
		}
		rim.Lines = append(rim.Lines, hexagon)
	}
	c.Fill(rim, 0, 0.35*p.Scale, p.Scale, Paint{shadowInk, shadowInk, 0.4, 1.6})
	p.Fill(rim, rimInk, 1)
	for _, m := range d.middles {
		d.putTile(c, m, tile{slot: free})
	}
	d.backStrip(c)
	if d.heading != nil {
		d.heading.write(c, &d.frame)
	}
}

// drawTiles draws the cells that have an owner, and the borders of its area.
func (d *hexabombDrawing) drawTiles(c Canvas, occupied func(cell int32) bool) {
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
			c.Stamp(b, at, 1.2*d.radius, func(c Canvas) { d.drawBorder(Pen{c, 0, 0, d.radius}, b) })
		}
	}
}

func (d *hexabombDrawing) putTile(c Canvas, at image.Point, t tile) {
	c.Stamp(t, at, 1.2*d.radius, func(c Canvas) {
		p, fill, seam := Pen{c, 0, 0, d.radius}, fillOf(int(t.slot)), seamInk
		if t.slot != free {
			seam = Ink{fill.Mix(black, 0.24).Dark, fill.Mix(white, 0.38).Light}
		}
		const overlap = 0.02 // so that nothing shines through between two cells
		p.Fill(polygon(overlap, d.hexagon(1)...), seam, 1)
		p.Shade(d.tile(), Ink{fill.Mix(white, 0.05).Dark, fill.Mix(white, 0.10).Light},
			Ink{fill.Mix(black, 0.06).Dark, fill.Mix(black, 0.03).Light})
		if t.marked {
			p.At(0, 0, markRadius).Fill(shapeOf(int(t.slot)).Shape, lineOf(int(t.slot)), d.mark)
		}
	})
}

// drawBorder draws the owner's line inside its own cell, along the edges where its area ends,
// and the gap between owners. Where the area continues, the line continues in the next cell.
func (d *hexabombDrawing) drawBorder(p Pen, b border) {
	corners := d.hexagon(1)
	inset := (gapWidth + lineWidth) / 2 / math.Cos(math.Pi/6)
	has := func(e int) bool { return b.edges&(1<<((e+6)%6)) != 0 }
	inner := func(corner int, convex bool, towards int) Point {
		p, t := corners[corner%6], corners[(towards+6)%6]
		if convex {
			return Point{p.X * (1 - inset), p.Y * (1 - inset)}
		}
		return Point{p.X + (t.X-p.X)*inset, p.Y + (t.Y-p.Y)*inset}
	}
	lines, gaps := Shape{Width: lineWidth}, Shape{Width: gapWidth}
	for e := range corners {
		if has(e) {
			lines.Lines = append(lines.Lines, []Point{inner(e, has(e-1), e-1), inner(e+1, has(e+1), e+2)})
			gaps.Lines = append(gaps.Lines, []Point{corners[e], corners[(e+1)%6]})
		}
	}
	p.Fill(lines, lineOf(int(b.slot)), 1)
	p.Fill(gaps, gapInk, 1)
}
