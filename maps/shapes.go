package maps

import "fmt"

// Shape is a player's shape as an SVG path. Its unit is a hundredth of its radius; round
// joins of lines of that width round its corners.
type Shape struct {
	Path       string  // M, L, H, V, A, a, Q and z, one subpath
	Width      float64 // of the line along the path
	NumberDown float64 // how far below the centre a number belongs, in radii
}

// PlayerShape returns the shape of the i-th ordinary player; it belongs to PlayerLook(i).
func PlayerShape(i int) Shape { return shapes[i%NumLooks] }

// GhostShape is the shape of special players.
var GhostShape = Shape{Path: "M-88 96V-4A88 88 0 0 1 88-4V96Q59 62 29 92Q0 118-29 92Q-59 62-88 96z", Width: 18}

// rimWidth is the width of the white rim around a shape.
const rimWidth = 42

// sticker draws the shape with a white rim. Fill and stroke are inherited.
func (s Shape) sticker() string {
	return fmt.Sprintf(`<path d="%s" style="fill:#fff;stroke:#fff" stroke-width="%g" stroke-linejoin="round" stroke-linecap="round"/>`+
		`<path d="%[1]s" stroke-width="%[3]g" stroke-linejoin="round" stroke-linecap="round"/>`, s.Path, s.Width+rimWidth, s.Width)
}

// shapes holds the shapes of the looks, in the same order.
var shapes = [NumLooks]Shape{
	{"M-90 0a90 90 0 0 1 180 0a90 90 0 0 1-180 0z", 20, 0},                                     // circle
	{"M0-38L50 49H-50z", 88, 0.16},                                                             // triangle up
	{"M-56-56H56V56H-56z", 68, 0},                                                              // square
	{"M0-77L77 0L0 77L-77 0z", 64, 0},                                                          // diamond
	{"M0-81L27-37L77-25L44 14L47 65L0 46L-47 65L-44 14L-77-25L-27-37z", 52, 0.05},              // star
	{"M-22-80H22V-22H80V22H22V80H-22V22H-80V-22H-22z", 52, 0},                                  // plus
	{"M0 38L50-49H-50z", 88, -0.14},                                                            // triangle down
	{"M75 0L38 65H-38L-75 0L-38-65H38z", 60, 0},                                                // hexagon
	{"M-48 0H48", 156, 0},                                                                      // capsule
	{"M0-124L60-67A90 90 0 1 1-60-67z", 16, 0.1},                                               // drop
	{"M53 53A52 52 0 0 1-53 53A52 52 0 0 1-53-53A52 52 0 0 1 53-53A52 52 0 0 1 53 53z", 12, 0}, // quatrefoil
	{"M-78-72H78V8Q78 68 0 102Q-78 68-78 8z", 28, -0.04},                                       // shield
}

// ghost draws GhostShape with its eyes.
var ghost = fmt.Sprintf(`<path class="ghost" stroke-width="%g" stroke-linejoin="round" d="%s"/>`, GhostShape.Width, GhostShape.Path) +
	`<ellipse class="eye" cx="-32" cy="-8" rx="15" ry="21"/><ellipse class="eye" cx="32" cy="-8" rx="15" ry="21"/>`
