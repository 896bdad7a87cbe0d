package picture

import (
	"math"
	"strconv"
)

// distance returns the distance of a point from a shape; it is negative inside the shape.
type distance func(x, y float64) float64

type point struct{ x, y float64 }

func disc(x, y, r float64) distance {
	return func(px, py float64) float64 { return length(px-x, py-y) - r }
}

// line is a straight line with rounded ends.
func line(a, b point, width float64) distance {
	return func(x, y float64) float64 { return math.Sqrt(toSegment(x, y, a, b)) - width/2 }
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

// arc is a part of a ring around the origin between two angles, clockwise from the top, in
// radians; its ends are straight.
func arc(radius, width, from, to float64) distance {
	middle, half := (from+to)/2, (to-from)/2
	sin, cos := math.Sincos(middle)
	return func(x, y float64) float64 {
		u, v := x*cos+y*sin, -x*sin+y*cos // rotated, so that the middle is at the top
		r := length(u, v)
		angle := math.Abs(math.Atan2(u, -v))
		return max(math.Abs(r-radius)-width/2, (angle-half)*r)
	}
}

// inflated is the set of points at most by away from a polygon.
func inflated(polygon []point, by float64) distance {
	return func(x, y float64) float64 {
		nearest, inside := math.Inf(1), false
		b := polygon[len(polygon)-1]
		for _, a := range polygon {
			nearest = min(nearest, toSegment(x, y, b, a))
			if (a.y > y) != (b.y > y) && x < (b.x-a.x)*(y-a.y)/(b.y-a.y)+a.x {
				inside = !inside
			}
			b = a
		}
		nearest = math.Sqrt(nearest)
		if inside {
			nearest = -nearest
		}
		return nearest - by
	}
}

// outlined is a line along the edge of a shape.
func outlined(d distance, width float64) distance {
	return func(x, y float64) float64 { return math.Abs(d(x, y)) - width/2 }
}

// intersection is the intersection of two shapes.
func intersection(a, b distance) distance {
	return func(x, y float64) float64 { return max(a(x, y), b(x, y)) }
}

// union is the union of some shapes.
func union(shapes ...distance) distance {
	return func(x, y float64) float64 {
		nearest := math.Inf(1)
		for _, d := range shapes {
			nearest = min(nearest, d(x, y))
		}
		return nearest
	}
}

// moved is a shape at another position and with another size.
func moved(d distance, x, y, size float64) distance {
	return func(px, py float64) float64 { return d((px-x)/size, (py-y)/size) * size }
}

// parsePath converts an SVG path of M, L, H, V, A, a, Q and z with one subpath, such as those
// of the players' shapes, to a polygon. Arcs must be circular.
func parsePath(d string) []point {
	p := path{rest: d}
	for p.rest != "" {
		command := p.rest[0]
		p.rest = p.rest[1:]
		if command == 'z' {
			break
		}
		for first := true; first || p.more(); first = false {
			p.step(command)
		}
	}
	return p.points
}

// path parses an SVG path.
type path struct {
	rest   string
	points []point
	at     point
}

func (p *path) more() bool {
	for p.rest != "" && (p.rest[0] == ' ' || p.rest[0] == ',') {
		p.rest = p.rest[1:]
	}
	return p.rest != "" && (p.rest[0] == '-' || p.rest[0] == '.' || '0' <= p.rest[0] && p.rest[0] <= '9')
}

// number parses the next number. The paths are constants of the program.
func (p *path) number() float64 {
	p.more()
	end := 0
	for end < len(p.rest) && (p.rest[end] == '.' || '0' <= p.rest[end] && p.rest[end] <= '9' || end == 0 && p.rest[0] == '-') {
		end++
	}
	v, err := strconv.ParseFloat(p.rest[:end], 64)
	if err != nil {
		panic(err)
	}
	p.rest = p.rest[end:]
	return v
}

func (p *path) to(x, y float64) {
	p.at = point{x, y}
	p.points = append(p.points, p.at)
}

// curveSteps is the number of straight lines that approximate a curve.
const curveSteps = 12

func (p *path) step(command byte) {
	switch command {
	case 'M', 'L':
		x := p.number()
		p.to(x, p.number())
	case 'H':
		p.to(p.number(), p.at.y)
	case 'h':
		p.to(p.at.x+p.number(), p.at.y)
	case 'V':
		p.to(p.at.x, p.number())
	case 'A', 'a':
		r := p.number()
		_, _ = p.number(), p.number() // a second radius and a rotation, meaningless for circles
		large, sweep := p.number() != 0, p.number() != 0
		end := point{p.number(), p.number()}
		if command == 'a' {
			end = point{p.at.x + end.x, p.at.y + end.y}
		}
		p.arc(r, large, sweep, end)
	case 'Q':
		a, c := p.at, point{p.number(), p.number()}
		b := point{p.number(), p.number()}
		for i := 1; i <= curveSteps; i++ {
			t := float64(i) / curveSteps
			u := 1 - t
			p.to(u*u*a.x+2*u*t*c.x+t*t*b.x, u*u*a.y+2*u*t*c.y+t*t*b.y)
		}
	default:
		panic("picture: unknown path command  " + string(command))
	}
}

func (p *path) arc(r float64, large, sweep bool, end point) {
	dx, dy := end.x-p.at.x, end.y-p.at.y
	half := length(dx, dy) / 2
	r = max(r, half)
	height := math.Sqrt(r*r - half*half)
	if large == sweep {
		height = -height
	}
	center := point{p.at.x + dx/2 - height*dy/(2*half), p.at.y + dy/2 + height*dx/(2*half)}
	from := math.Atan2(p.at.y-center.y, p.at.x-center.x)
	turn := math.Atan2(end.y-center.y, end.x-center.x) - from
	switch {
	case sweep && turn < 0:
		turn += 2 * math.Pi
	case !sweep && turn > 0:
		turn -= 2 * math.Pi
	}
	for i := 1; i <= 2*curveSteps; i++ {
		sin, cos := math.Sincos(from + turn*float64(i)/(2*curveSteps))
		p.to(center.x+r*cos, center.y+r*sin)
	}
}
