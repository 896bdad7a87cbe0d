package picture

import "math"

type point struct{ x, y float64 }

// shape is the set of points within half its width of some lines. A closed shape includes what
// the lines enclose; each of them then ends where it begins.
type shape struct {
	lines  [][]point
	width  float64
	closed bool
}

// line is a line through some points with rounded corners and ends; disc is one of a single
// point.
func line(width float64, points ...point) shape { return shape{[][]point{points}, width, false} }

func disc(x, y, r float64) shape { return line(2*r, point{x, y}) }

// polygon is a polygon and the points within half the width of it.
func polygon(width float64, points ...point) shape { return shape{[][]point{points}, width, true} }

// loop is a line along the edges of a polygon.
func loop(width float64, points []point) shape {
	return line(width, append(points[:len(points):len(points)], points[0])...)
}

// union is the union of shapes of one width.
func union(shapes ...shape) shape {
	u := shapes[0]
	for _, s := range shapes[1:] {
		u.lines = append(u.lines[:len(u.lines):len(u.lines)], s.lines...)
	}
	return u
}

// grown is a shape extended by a distance.
func (s shape) grown(by float64) shape {
	s.width += 2 * by
	return s
}

// bounds returns the corners of the smallest rectangle around a shape.
func (s shape) bounds() (low, high point) {
	low, high = s.lines[0][0], s.lines[0][0]
	for _, line := range s.lines {
		for _, p := range line {
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	return point{low.x - s.width/2, low.y - s.width/2}, point{high.x + s.width/2, high.y + s.width/2}
}

// scaled is a polygon scaled by k.
func scaled(polygon []point, k float64) []point {
	list := make([]point, len(polygon))
	for i, c := range polygon {
		list[i] = point{c.x * k, c.y * k}
	}
	return list
}

// arc returns points on a circle from one angle to another, clockwise from the right, in
// radians.
func arc(x, y, r, from, to float64) (points []point) {
	steps := max(2, int(math.Abs(to-from)*8))
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(steps))
		points = append(points, point{x + r*cos, y + r*sin})
	}
	return points
}

// bend returns points on a quadratic curve from a to b with the control point c.
func bend(a, c, b point) (points []point) {
	const steps = 12
	for i := range steps + 1 {
		t := float64(i) / steps
		u := 1 - t
		points = append(points, point{u*u*a.x + 2*u*t*c.x + t*t*b.x, u*u*a.y + 2*u*t*c.y + t*t*b.y})
	}
	return points
}

// band is a part of a ring around the origin between two angles; its ends are straight.
func band(radius, width, from, to float64) shape {
	outer, inner := arc(0, 0, radius+width/2, from, to), arc(0, 0, radius-width/2, to, from)
	return polygon(0, append(outer, inner...)...)
}

// cross is two diagonal lines around the origin.
func cross(half, width float64) shape {
	return union(line(width, point{-half, -half}, point{half, half}), line(width, point{-half, half}, point{half, -half}))
}

// dashed is n dashes along the edges of a polygon.
func dashed(width float64, n int, polygon []point) (s shape) {
	const share, steps = 0.5, 4 // of the length; the ends are rounded and need room as well
	s.width = width
	ends := append(polygon[:len(polygon):len(polygon)], polygon[0])
	var far []float64 // of each end from the first, along the edges
	sum := 0.0
	for i, p := range ends {
		if i > 0 {
			sum += length(p.x-ends[i-1].x, p.y-ends[i-1].y)
		}
		far = append(far, sum)
	}
	period := sum / float64(n)
	on := max(0, share*period-width/2)
	edge := 0
	for i := range n {
		var dash []point
		for k := range steps + 1 {
			at := float64(i)*period + on*float64(k)/steps
			for edge+2 < len(far) && far[edge+1] < at {
				edge++
			}
			a, b := ends[edge], ends[edge+1]
			t := (at - far[edge]) / max(far[edge+1]-far[edge], 1e-9)
			dash = append(dash, point{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t})
		}
		s.lines = append(s.lines, dash)
	}
	return s
}

// outline returns points on the edge of a closed shape or a line, every ray from the origin
// to which lies within it.
func (s shape) outline() (points []point) {
	const directions = 90
	for i := range directions {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
		inside, outside := 0.0, 2.0
		for range 20 {
			r := (inside + outside) / 2
			if s.distance(s.lines[0], r*cos, r*sin) < 0 {
				inside = r
			} else {
				outside = r
			}
		}
		points = append(points, point{inside * cos, inside * sin})
	}
	return points
}

// distance returns the distance of a point from one line of a shape; it is negative inside.
func (s shape) distance(line []point, x, y float64) float64 {
	nearest, inside := math.Inf(1), false
	b := line[0]
	if s.closed {
		b = line[len(line)-1]
	}
	for _, a := range line {
		nearest = min(nearest, toSegment(x, y, b, a))
		if s.closed && (a.y > y) != (b.y > y) && x < (b.x-a.x)*(y-a.y)/(b.y-a.y)+a.x {
			inside = !inside
		}
		b = a
	}
	nearest = math.Sqrt(nearest)
	if inside {
		nearest = -nearest
	}
	return nearest - s.width/2
}

// toSegment returns the square of the distance from the segment between two points.
func toSegment(x, y float64, a, b point) float64 {
	x, y = x-a.x, y-a.y
	dx, dy := b.x-a.x, b.y-a.y
	if square := dx*dx + dy*dy; square > 0 {
		t := min(1, max(0, (x*dx+y*dy)/square))
		x, y = x-t*dx, y-t*dy
	}
	return x*x + y*y
}

// length returns the length of a vector. math.Hypot would be slower, as it avoids overflows.
func length(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
