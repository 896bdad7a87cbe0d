package picture

import (
	"image"
	"math"

	"github.com/hexarena/hexarena/maps"
)

// drawBlasts draws explosions at their full extent: beams that taper outwards.
func (d *hexabombDrawing) drawBlasts() {
	layers := []struct {
		width, alpha float64
		color        func(b *blast) maps.Color
	}{
		{0.80, 0.6, func(b *blast) maps.Color { return d.paints.line(d.slot(b.color)) }},
		{0.50, 1, func(*blast) maps.Color { return d.paints.Border }},
		{0.36, 1, func(*blast) maps.Color { return d.paints.Flame }},
		{0.17, 1, func(*blast) maps.Color { return d.paints.Core }},
	}
	for _, layer := range layers {
		for i := range d.blasts {
			d.drawBeams(&d.blasts[i], layer.width, layer.color(&d.blasts[i]), layer.alpha)
		}
	}
	for i := range d.blasts {
		p := d.pen(d.blasts[i].cell)
		p.fillIn(p.box(-1, -1, 1, 1), disc(0, 0, 0.40), 1, flat(d.paints.Flame))
		p.fillIn(p.box(-1, -1, 1, 1), disc(0, 0, 0.28), 1, flat(d.paints.Core))
	}
}

func flat(c maps.Color) func(float64) maps.Color { return func(float64) maps.Color { return c } }

// pen returns a pen with its origin at a cell.
func (d *hexabombDrawing) pen(cell int32) pen {
	m := d.layout.middles[cell]
	return pen{d.scratch, float64(m.X), float64(m.Y), d.layout.radius}
}

func (d *hexabombDrawing) drawBeams(b *blast, width float64, c maps.Color, alpha float64) {
	p := d.pen(b.cell)
	from := d.layout.middles[b.cell]
	for e, ray := range b.rays {
		const beyond = 0.42 * 1.732
		sin, cos := math.Sincos(math.Pi / 3 * float64(e-1))
		tip := point{cos * beyond, sin * beyond}
		if len(ray) > 0 {
			to := d.layout.middles[ray[len(ray)-1]].Sub(from)
			tip.x += float64(to.X) / p.scale
			tip.y += float64(to.Y) / p.scale
		}
		box := p.box(min(0, tip.x)-width, min(0, tip.y)-width, max(0, tip.x)+width, max(0, tip.y)+width)
		beam, paint, end := spindle(tip, width), flat(c), length(tip.x, tip.y)
		for y := box.Min.Y; y < box.Max.Y; y++ { // most of the box is empty
			row := image.Rect(box.Min.X, y, box.Max.X, y+1)
			if math.Abs(tip.y) > 0.1 {
				middle := p.x + (float64(y)+0.5-p.y)*tip.x/tip.y
				half := width / 2 * end / math.Abs(tip.y) * p.scale
				row.Min.X, row.Max.X = max(row.Min.X, int(middle-half)-1), min(row.Max.X, int(middle+half)+2)
			}
			p.fillIn(row, beam, alpha, paint)
		}
	}
}

// spindle is a beam from the origin that is widest in between and ends in a point.
func spindle(tip point, width float64) distance {
	end := length(tip.x, tip.y)
	cos, sin := tip.x/end, tip.y/end
	return func(x, y float64) float64 {
		along, across := x*cos+y*sin, math.Abs(-x*sin+y*cos)
		if along < 0 || along > end || across > width {
			return 1
		}
		// The edge is a curve with its control point at 0.4 of the length.
		t := (math.Sqrt(0.64+0.8*along/end) - 0.8) / 0.4
		half := width / 2 * (0.6*(1-t)*(1-t) + 3.4*t*(1-t))
		return across - half
	}
}

// drawWarnings draws the cells that bombs in their last turn will cover.
func (d *hexabombDrawing) drawWarnings() {
	ink := d.paints.Core
	if d.paints.light {
		ink = d.paints.Text
	}
	for _, b := range d.bombs {
		if b.Delay > 1 {
			continue
		}
		p := d.pen(b.cell)
		from := d.layout.middles[b.cell]
		for e := range 6 {
			ray := d.layout.ray(b.cell, e, b.Range)
			if len(ray) == 0 {
				continue
			}
			to := d.layout.middles[ray[len(ray)-1]].Sub(from)
			tip := point{float64(to.X) / p.scale, float64(to.Y) / p.scale}
			end := length(tip.x, tip.y)
			u := point{tip.x / end, tip.y / end}
			for at := 0.9; at < end-0.1; at += 0.3 {
				x, y := u.x*at, u.y*at
				p.fillIn(p.box(x-0.1, y-0.1, x+0.1, y+0.1), disc(x, y, 0.06), 1, flat(ink))
			}
			bar := line(point{tip.x - u.y*0.26, tip.y + u.x*0.26}, point{tip.x + u.y*0.26, tip.y - u.x*0.26}, 0.08)
			p.fillIn(p.box(tip.x-0.4, tip.y-0.4, tip.x+0.4, tip.y+0.4), bar, 1, flat(ink))
		}
	}
}

// markCrossed marks the cells under beams and warnings.
func (d *hexabombDrawing) markCrossed(mark func(cell int32)) {
	for i := range d.blasts {
		mark(d.blasts[i].cell)
		for _, ray := range d.blasts[i].rays {
			for _, c := range ray {
				mark(c)
			}
		}
	}
	for _, b := range d.bombs {
		if b.Delay > 1 {
			continue
		}
		mark(b.cell)
		for e := range 6 {
			for _, c := range d.layout.ray(b.cell, e, b.Range) {
				mark(c)
			}
		}
	}
}
