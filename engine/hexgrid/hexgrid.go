// Package hexgrid implements hexagonal grids in axial coordinates: coordinates, the six
// directions and distance. It does not say how a board is oriented on a screen.
package hexgrid

// Coord is a cell's axial position.
type Coord struct {
	Q int `json:"q"`
	R int `json:"r"`
}

// Dir is one of the six directions. They are numbered counterclockwise, so that (d+3)%6 is
// the opposite of d.
type Dir uint8

// The six directions.
const (
	XPlus  Dir = iota // q+1
	YPlus             // q+1, r-1
	ZPlus             // r-1
	XMinus            // q-1
	YMinus            // q-1, r+1
	ZMinus            // r+1
)

// NumDirs is the number of directions.
const NumDirs = 6

// Dirs lists the directions in order.
var Dirs = [NumDirs]Dir{XPlus, YPlus, ZPlus, XMinus, YMinus, ZMinus}

var (
	steps = [NumDirs]Coord{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}
	names = [NumDirs]string{"x+", "y+", "z+", "x-", "y-", "z-"}
)

// String returns the direction's name on the wire, such as "x+".
func (d Dir) String() string {
	if d < NumDirs {
		return names[d]
	}
	return "?"
}

// Opposite returns the opposite direction.
func (d Dir) Opposite() Dir { return (d + 3) % NumDirs }

// Step returns the neighbour of c in direction d.
func (c Coord) Step(d Dir) Coord { return c.Add(steps[d]) }

// Add returns c+d.
func (c Coord) Add(d Coord) Coord { return Coord{c.Q + d.Q, c.R + d.R} }

// Sub returns c-d.
func (c Coord) Sub(d Coord) Coord { return Coord{c.Q - d.Q, c.R - d.R} }

// Scale returns c with both coordinates multiplied by k.
func (c Coord) Scale(k int) Coord { return Coord{c.Q * k, c.R * k} }

// RotateLeft returns c rotated by 60° counterclockwise about the origin: x+ becomes y+.
func (c Coord) RotateLeft() Coord { return Coord{c.Q + c.R, -c.Q} }

// Mirror returns c with its coordinates swapped: x+ becomes z-.
func (c Coord) Mirror() Coord { return Coord{c.R, c.Q} }

// Less orders coordinates by q, then r.
func (c Coord) Less(d Coord) bool { return c.Q < d.Q || c.Q == d.Q && c.R < d.R }

// Compare compares coordinates in the order of Less, for slices.SortFunc.
func (c Coord) Compare(d Coord) int {
	switch {
	case c == d:
		return 0
	case c.Less(d):
		return -1
	}
	return 1
}

// Distance returns the number of steps between two cells on a grid without holes.
func Distance(a, b Coord) int {
	d := a.Sub(b)
	return max(abs(d.Q), abs(d.R), abs(d.Q+d.R))
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
