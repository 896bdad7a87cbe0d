package picture

import (
	"image"

	"github.com/hexarena/hexarena/maps"
)

// canvas is what a drawing is drawn on: pixels or an SVG. Positions are in pixels.
type canvas interface {
	// stage fills the canvas with a glow in the middle of the rectangle.
	stage(middle image.Rectangle, glow, edge ink)
	// fill paints a shape whose origin is at (x, y) and whose unit is scale pixels.
	fill(s shape, x, y, scale float64, p paint)
	// write writes a text.
	write(l label, x, y float64, c ink)
	// stamp draws something that occurs repeatedly, identified by a comparable key, at a
	// point. The function draws it around the origin, at most reach away from it in each
	// direction, and is called only once for a key.
	stamp(key any, at image.Point, reach float64, draw func(c canvas))
	// background draws what all turns have in common, below everything else.
	background(draw func(c canvas))
}

// ink is a colour on dark and on light backgrounds.
type ink struct{ dark, light maps.Color }

// same returns the ink of one colour on any background.
func same(c maps.Color) ink { return ink{c, c} }

// on returns the colour on a light or a dark background.
func (i ink) on(light bool) maps.Color {
	if light {
		return i.light
	}
	return i.dark
}

// mix returns i blended with j; share, from 0 to 1, is the weight of j.
func (i ink) mix(j ink, share float64) ink {
	return ink{i.dark.Mix(j.dark, share), i.light.Mix(j.light, share)}
}

// paint is how a shape is filled.
type paint struct {
	top, bottom ink // a gradient, unless both are equal
	alpha       float64
}

// label is a text and how it is written.
type label struct {
	text   string
	face   *typeface
	size   float64 // in pixels
	anchor float64 // 0 if the text begins at the position, 0.5 if its centre is there, 1 if it ends there
}

// pen draws on a canvas, in units of scale pixels around an origin.
type pen struct {
	canvas
	x, y  float64 // the origin, in pixels
	scale float64
}

// penAt returns a pen with its origin at a point.
func penAt(c canvas, at image.Point, scale float64) pen {
	return pen{c, float64(at.X), float64(at.Y), scale}
}

// at returns a pen with another origin and unit.
func (p pen) at(x, y, size float64) pen {
	return pen{p.canvas, p.x + x*p.scale, p.y + y*p.scale, p.scale * size}
}

// fill paints a shape with one colour.
func (p pen) fill(s shape, c ink, alpha float64) {
	p.canvas.fill(s, p.x, p.y, p.scale, paint{c, c, alpha})
}

// shade paints a shape with a gradient from its top to its bottom.
func (p pen) shade(s shape, top, bottom ink) {
	p.canvas.fill(s, p.x, p.y, p.scale, paint{top, bottom, 1})
}

// center writes digits around the origin. They have no descenders, so the centre is that of
// a capital letter.
func (p pen) center(text string, face *typeface, size float64, c ink) {
	size *= p.scale
	p.write(label{text, face, size, 0.5}, p.x, p.y+0.36*size, c)
}
