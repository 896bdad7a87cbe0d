package picture

import (
	"math"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/maps"
)

// playerShape is the shape of a player's characters. Its unit is its radius.
type playerShape struct {
	Shape
	numberDown float64 // how far below the centre a number belongs
	edge       []Point // points on its edge
}

// shapeOf returns the shape of a slot.
func shapeOf(slot int) *playerShape {
	if slot < 0 {
		return &playerShapes()[maps.NumLooks]
	}
	return &playerShapes()[slot%maps.NumLooks]
}

// playerShapes returns the shapes of the looks of package maps, in the same order, and after
// them that of special players. They are made by the first picture: making them takes longer
// than the rest of the program's start.
var playerShapes = sync.OnceValue(func() *[maps.NumLooks + 1]playerShape {
	return &[maps.NumLooks + 1]playerShape{
		newShape(0, 2, corners(0, 0)),                                  // circle
		newShape(0.16, 0.88, corners(0, -38, 50, 49, -50, 49)),         // triangle up
		newShape(0, 0.68, corners(-56, -56, 56, -56, 56, 56, -56, 56)), // square
		newShape(0, 0.64, corners(0, -77, 77, 0, 0, 77, -77, 0)),       // diamond
		newShape(0.05, 0.52, // star
			corners(0, -81, 27, -37, 77, -25, 44, 14, 47, 65, 0, 46, -47, 65, -44, 14, -77, -25, -27, -37)),
		newShape(0, 0.52, // plus
			corners(-22, -80, 22, -80, 22, -22, 80, -22, 80, 22, 22, 22, 22, 80, -22, 80, -22, 22, -80, 22,
				-80, -22, -22, -22)),
		newShape(-0.14, 0.88, corners(0, 38, 50, -49, -50, -49)),                      // triangle down
		newShape(0, 0.60, corners(75, 0, 38, 65, -38, 65, -75, 0, -38, -65, 38, -65)), // hexagon
		newShape(0, 1.56, corners(-48, 0, 48, 0)),                                     // capsule
		newShape(0.10, 0.16, corners(0, -124), arc(0, 0, 0.9, -0.84, math.Pi+0.84)),   // drop
		newShape(0, 0.12, // quatrefoil
			arc(0, 0.53, 0.53, 0, math.Pi), arc(-0.53, 0, 0.53, math.Pi/2, 3*math.Pi/2),
			arc(0, -0.53, 0.53, math.Pi, 2*math.Pi), arc(0.53, 0, 0.53, -math.Pi/2, math.Pi/2)),
		newShape(-0.04, 0.28, corners(-78, -72, 78, -72), // shield
			bend(Point{0.78, 0.08}, Point{0.78, 0.68}, Point{0, 1.02}),
			bend(Point{0, 1.02}, Point{-0.78, 0.68}, Point{-0.78, 0.08})),
		newShape(0, 0.18, corners(-88, 96), arc(0, -0.04, 0.88, math.Pi, 2*math.Pi), // ghost
			bend(Point{0.88, 0.96}, Point{0.59, 0.62}, Point{0.29, 0.92}),
			bend(Point{0.29, 0.92}, Point{0, 1.18}, Point{-0.29, 0.92}),
			bend(Point{-0.29, 0.92}, Point{-0.59, 0.62}, Point{-0.88, 0.96})),
	}
})

// newShape returns the shape with the given corners.
func newShape(numberDown, width float64, points ...[]Point) playerShape {
	s := polygon(width, slices.Concat(points...)...)
	return playerShape{s, numberDown, s.outline()}
}

// corners returns the points with the given coordinates, in hundredths.
func corners(xy ...float64) (points []Point) {
	for i := 0; i < len(xy); i += 2 {
		points = append(points, Point{xy[i] / 100, xy[i+1] / 100})
	}
	return points
}
