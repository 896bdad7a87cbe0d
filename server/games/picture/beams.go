package picture

import (
	"math"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// beam is one of the layers of an explosion in one direction, at its full extent.
type beam struct {
	layer, edge, reach int
	slot               int32 // of the bomb's owner, in the lowest layer
}

// beamLayers holds the layers from the lowest: their width in radii, their opacity, and their
// ink, except that the lowest has that of the bomb's owner.
var beamLayers = []struct {
	width, alpha float64
	color        Ink
}{{0.80, 0.6, Ink{}}, {0.50, 1, borderInk}, {0.36, 1, flameInk}, {0.17, 1, coreInk}}

// drawBlasts draws explosions.
func (d *hexabombDrawing) drawBlasts(c Canvas) {
	for layer := range beamLayers {
		for i := range d.blasts {
			b := &d.blasts[i]
			for e, ray := range b.rays {
				k := beam{layer: layer, edge: e, reach: len(ray)}
				if layer == 0 {
					k.slot = int32(d.slot(b.color))
				}
				tip := d.tip(e, k.reach)
				c.Stamp(k, d.middles[b.cell], d.radius*(length(tip.X, tip.Y)+2), func(c Canvas) {
					d.drawBeam(Pen{c, 0, 0, d.radius}, k, tip)
				})
			}
		}
	}
	for i := range d.blasts {
		p := penAt(c, d.middles[d.blasts[i].cell], d.radius)
		p.Fill(disc(0, 0, 0.40), flameInk, 1)
		p.Fill(disc(0, 0, 0.28), coreInk, 1)
	}
}

// tip returns the centre of the cell that many cells away across an edge, in radii.
func (d *hexabombDrawing) tip(edge, cells int) Point {
	to := d.center(hexgrid.Coord{}.Step(edges[edge]).Scale(cells)).Sub(d.origin)
	return Point{float64(to.X) / d.radius, float64(to.Y) / d.radius}
}

// drawBeam draws a beam from the origin that is widest in between and ends in a point, beyond
// the last cell.
func (d *hexabombDrawing) drawBeam(p Pen, b beam, tip Point) {
	const beyond = 0.42 * 1.732
	sin, cos := math.Sincos(math.Pi / 3 * float64(b.edge-1))
	tip = Point{tip.X + cos*beyond, tip.Y + sin*beyond}
	layer := beamLayers[b.layer]
	if b.layer == 0 {
		layer.color = lineOf(int(b.slot))
	}
	end := length(tip.X, tip.Y)
	cos, sin = tip.X/end, tip.Y/end
	at := func(along, across float64) Point {
		return Point{
			along*cos - across*sin, along*sin + across*cos,
		}
	}
	side := func(half float64) []Point {
		// The edge is a curve with its control point at 0.4 of the length.
		return bend(at(0, 0.6*half), at(0.4*end, 1.7*half), at(end, 0))
	}
	points := side(layer.width / 2)
	back := side(-layer.width / 2)
	slices.Reverse(back)
	p.Fill(polygon(0, append(points, back...)...), layer.color, layer.alpha)
}

// drawWarnings draws the lines of cells that bombs in their last turn will cover.
func (d *hexabombDrawing) drawWarnings(c Canvas) {
	for _, b := range d.bombs {
		if b.Delay > 1 {
			continue
		}
		p := penAt(c, d.middles[b.cell], d.radius)
		for e := range edges {
			reach := len(d.ray(b.cell, e, b.Range))
			if reach == 0 {
				continue
			}
			tip := d.tip(e, reach)
			end := length(tip.X, tip.Y)
			u := Point{tip.X / end, tip.Y / end}
			dots := Shape{Width: 0.12}
			for at := 0.9; at < end-0.1; at += 0.3 {
				dots.Lines = append(dots.Lines, []Point{{u.X * at, u.Y * at}})
			}
			p.Fill(dots, warningInk, 1)
			across := Point{-u.Y * 0.26, u.X * 0.26}
			p.Fill(
				line(0.08, Point{tip.X + across.X, tip.Y + across.Y},
					Point{tip.X - across.X, tip.Y - across.Y}),
				warningInk, 1,
			)
		}
	}
}
