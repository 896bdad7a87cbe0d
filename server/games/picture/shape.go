package picture

import "math"

// Point is a place in units of a shape.
type Point struct{ X, Y float64 }

// Shape is the set of points within half its width of some lines. A closed shape includes what
// the lines enclose; each of them then ends where it begins.
type Shape struct {
	Lines  [][]Point
	Width  float64
	Closed bool
}

// line is a line through some points with rounded corners and ends; disc is one of a single
// point.
func line(width float64, points ...Point) Shape { return Shape{[][]Point{points}, width, false} }

func disc(x, y, r float64) Shape { return line(2*r, Point{x, y}) }

// polygon is a polygon and the points within half the width of it.
func polygon(width float64, points ...Point) Shape { return Shape{[][]Point{points}, width, true} }

// loop is a line along the edges of a polygon.
func loop(width float64, points []Point) Shape {
	return line(width, append(points[:len(points):len(points)], points[0])...)
}

// union is the union of shapes of one width.
func union(shapes ...Shape) Shape {
	u := shapes[0]
	for _, s := range shapes[1:] {
		u.Lines = append(u.Lines[:len(u.Lines):len(u.Lines)], s.Lines...)
	}
	return u
}

// grown is a shape extended by a distance.
func (s Shape) grown(by float64) Shape {
	s.Width += 2 * by
	return s
}

// bounds returns the corners of the smallest rectangle around a shape.
func (s Shape) bounds() (low, high Point) {
	low, high = s.Lines[0][0], s.Lines[0][0]
	for _, line := range s.Lines {
		for _, p := range line {
			low = Point{min(low.X, p.X), min(low.Y, p.Y)}
			high = Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
	}
	return Point{low.X - s.Width/2, low.Y - s.Width/2}, Point{high.X + s.Width/2, high.Y + s.Width/2}
}

// scaled is a polygon scaled by k.
func scaled(polygon []Point, k float64) []Point {
	list := make([]Point, len(polygon))
	for i, c := range polygon {
		list[i] = Point{c.X * k, c.Y * k}
	}
	return list
}

// arc returns points on a circle from one angle to another, clockwise from the right, in
// radians.
func arc(x, y, r, from, to float64) (points []Point) {
	steps := max(2, int(math.Abs(to-from)*8))
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(steps))
		points = append(points, Point{x + r*cos, y + r*sin})
	}
	return points
}

// bend returns points on a quadratic curve from a to b with the control point c.
func bend(a, c, b Point) (points []Point) {
	const steps = 12
	for i := range steps + 1 {
		t := float64(i) / steps
		u := 1 - t
		points = append(points, Point{u*u*a.X + 2*u*t*c.X + t*t*b.X, u*u*a.Y + 2*u*t*c.Y + t*t*b.Y})
	}
	return points
}

// band is a part of a ring around the origin between two angles; its ends are straight.
func band(radius, width, from, to float64) Shape {
	outer, inner := arc(0, 0, radius+width/2, from, to), arc(0, 0, radius-width/2, to, from)
	return polygon(0, append(outer, inner...)...)
}

// cross is two diagonal lines around the origin.
func cross(half, width float64) Shape {
	return union(line(width, Point{-half, -half}, Point{half, half}),
		line(width, Point{-half, half}, Point{half, -half}))
}

// dashed is n dashes along the edges of a polygon.
func dashed(width float64, n int, polygon []Point) (s Shape) {
	const share, steps = 0.5, 4 // of the length; the ends are rounded and need room as well
	s.Width = width
	ends := append(polygon[:len(polygon):len(polygon)], polygon[0])
	var far []float64 // of each end from the first, along the edges
	sum := 0.0
	for i, p := range ends {
		if i > 0 {
			sum += length(p.X-ends[i-1].X, p.Y-ends[i-1].Y)
		}
		far = append(far, sum)
	}
	period := sum / float64(n)
	on := max(0, share*period-width/2)
	edge := 0
	for i := range n {
		var dash []Point
		for k := range steps + 1 {
			at := float64(i)*period + on*float64(k)/steps
			for edge+2 < len(far) && far[edge+1] < at {
				edge++
			}
			a, b := ends[edge], ends[edge+1]
			t := (at - far[edge]) / max(far[edge+1]-far[edge], 1e-9)
			dash = append(dash, Point{a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t})
		}
		s.Lines = append(s.Lines, dash)
	}
	return s
}

// outline returns points on the edge of a closed shape or a line, every ray from the origin
// to which lies within it.
func (s Shape) outline() (points []Point) {
	const directions = 90
	for i := range directions {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
		inside, outside := 0.0, 2.0
		for range 20 {
			r := (inside + outside) / 2
			if s.distance(s.Lines[0], r*cos, r*sin) < 0 {
				inside = r
			} else {
				outside = r
			}
		}
		points = append(points, Point{inside * cos, inside * sin})
	}
	return points
}

// distance returns the distance of a point from one line of a shape; it is negative inside.
func (s Shape) distance(line []Point, x, y float64) float64 {
	nearest, inside := math.Inf(1), false
	b := line[0]
	if s.Closed {
		b = line[len(line)-1]
	}
	for _, a := range line {
		nearest = min(nearest, toSegment(x, y, b, a))
		if s.Closed && (a.Y > y) != (b.Y > y) && x < (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)+a.X {
			inside = !inside
		}
		b = a
	}
	nearest = math.Sqrt(nearest)
	if inside {
		nearest = -nearest
	}
	return nearest - s.Width/2
}

// toSegment returns the square of the distance from the segment between two points.
func toSegment(x, y float64, a, b Point) float64 {
	x, y = x-a.X, y-a.Y
	dx, dy := b.X-a.X, b.Y-a.Y
	if square := dx*dx + dy*dy; square > 0 {
		t := min(1, max(0, (x*dx+y*dy)/square))
		x, y = x-t*dx, y-t*dy
	}
	return x*x + y*y
}

// length returns the length of a vector. math.Hypot would be slower, as it avoids overflows.
func length(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
