package picture

import (
	"image"

	"github.com/hexarena/hexarena/maps"
)

// Canvas is what a drawing is drawn on: pixels or an SVG. Positions are in pixels.
type Canvas interface {
	// Stage fills the canvas with a glow in the middle of the rectangle.
	Stage(middle image.Rectangle, glow, edge Ink)
	// Fill paints a shape whose origin is at (x, y) and whose unit is scale pixels.
	Fill(s Shape, x, y, scale float64, p Paint)
	// Write writes a text on a base line at y.
	Write(l Label, x, y float64, c Ink)
	// Stamp draws something that occurs repeatedly, identified by a comparable key, at a
	// point. The function draws it around the origin, at most reach away from it in each
	// direction, and is called only once for a key.
	Stamp(key any, at image.Point, reach float64, draw func(c Canvas))
	// Background draws what all turns have in common, below everything else. The function
	// may be called only once.
	Background(draw func(c Canvas))
}

// Ink is a colour on dark and on light backgrounds.
type Ink struct{ Dark, Light maps.Color }

// same returns the ink of one colour on any background.
func same(c maps.Color) Ink { return Ink{c, c} }

// on returns the colour on a light or a dark background.
func (i Ink) on(light bool) maps.Color {
	if light {
		return i.Light
	}
	return i.Dark
}

// Mix returns i blended with j; share, from 0 to 1, is the weight of j.
func (i Ink) Mix(j Ink, share float64) Ink {
	return Ink{i.Dark.Mix(j.Dark, share), i.Light.Mix(j.Light, share)}
}

// Paint is how a shape is filled.
type Paint struct {
	Top, Bottom Ink // a gradient, unless both are equal
	Alpha       float64
	Soft        float64 // how wide the edge is, in units of the shape; zero: as sharp as it can be
}

// Label is a text and how it is written.
type Label struct {
	Text string
	Bold bool
	Size float64 // in pixels
	// 0 if the text begins at the position, 0.5 if its centre is there, 1 if it ends there
	Anchor float64
}

// Pen draws on a canvas, in units of Scale pixels around an origin.
type Pen struct {
	Canvas
	X, Y  float64 // the origin, in pixels
	Scale float64
}

// penAt returns a pen with its origin at a point.
func penAt(c Canvas, at image.Point, scale float64) Pen {
	return Pen{c, float64(at.X), float64(at.Y), scale}
}

// At returns a pen with another origin and unit.
func (p Pen) At(x, y, size float64) Pen {
	return Pen{p.Canvas, p.X + x*p.Scale, p.Y + y*p.Scale, p.Scale * size}
}

// Fill paints a shape with one colour.
func (p Pen) Fill(s Shape, c Ink, alpha float64) {
	p.Canvas.Fill(s, p.X, p.Y, p.Scale, Paint{c, c, alpha, 0})
}

// Shade paints a shape with a gradient from its top to its bottom.
func (p Pen) Shade(s Shape, top, bottom Ink) {
	p.Canvas.Fill(s, p.X, p.Y, p.Scale, Paint{top, bottom, 1, 0})
}

// Center writes digits around the origin, in bold type of that size. They have no
// descenders, so the centre is that of a capital letter.
func (p Pen) Center(text string, size float64, c Ink) {
	size *= p.Scale
	p.Write(Label{text, true, size, 0.5}, p.X, p.Y+0.36*size, c)
}
