package picture

import (
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// TestLayoutsFit checks that all cells are on a picture of the requested size, and that
// neighbours have the same distance everywhere.
func TestLayoutsFit(t *testing.T) {
	var a area
	for q := -3; q <= 3; q++ {
		for r := -3; r <= 3; r++ {
			if -3 <= q+r && q+r <= 3 {
				a.cells = append(a.cells, hexgrid.Coord{Q: q, R: r})
			}
		}
	}
	for _, a.margin = range []int{0, 2} {
		for size := MinSize; size < 700; size += 7 {
			l, err := newLayout(a, size)
			if err != nil {
				t.Fatal(err)
			}
			if l.size.X > size || l.size.Y > size {
				t.Errorf("size %d: the picture is %v", size, l.size)
			}
			for _, c := range a.cells {
				at := l.center(c)
				if !at.In(l.board.Inset(l.half)) {
					t.Fatalf("size %d: the cell %v is at %v, outside of %v", size, c, at, l.board)
				}
				if right := l.center(c.Step(hexgrid.XPlus)).Sub(at); right.X != 2*l.half || right.Y != 0 {
					t.Fatalf("size %d: the cell right of %v is %v away", size, c, right)
				}
			}
		}
	}
}

func TestShapes(t *testing.T) {
	square := polygon(0, Point{-2, -2}, Point{2, -2}, Point{2, 2}, Point{-2, 2})
	for _, tt := range []struct {
		Shape     Shape
		x, y, far float64
	}{
		{square, 0, 0, -2},
		{square, 5, 0, 3},
		{square.grown(1), 5, 0, 2},
		{loop(1, square.Lines[0]), 0, 0, 1.5},
		{disc(1, 1, 3), 1, 5, 1},
		{line(2, Point{0, 0}, Point{4, 0}), 6, 0, 1},
		{polygon(0, bend(Point{-10, 0}, Point{0, 20}, Point{10, 0})...), 0, 15, 5},
		{polygon(0, arc(0, 0, 90, 0, 6.28)...), 0, 100, 10},
		{band(5, 2, 0, 3), 0, 5, -1},
		{band(5, 2, 0, 3), 0, 0, 4},
	} {
		if got := tt.Shape.distance(tt.Shape.Lines[0], tt.x, tt.y); got < tt.far-0.3 || got > tt.far+0.3 {
			t.Errorf("the distance of (%g, %g) from %v is %g, want %g", tt.x, tt.y, tt.Shape, got, tt.far)
		}
	}
	if d := dashed(0.1, 12, square.Lines[0]); len(d.Lines) != 12 ||
		length(d.Lines[6][0].X-2, d.Lines[6][0].Y-2) > 1e-9 {
		t.Errorf("12 dashes around a square are %v", d)
	}
}

// TestPlayerShapes checks that a ray in every direction leaves a player's shape only once, so
// that its edge is around it.
func TestPlayerShapes(t *testing.T) {
	for slot := spectre; slot < len(playerShapes())-1; slot++ {
		s := shapeOf(slot)
		for _, p := range s.edge {
			for share := 0.05; share < 2; share += 0.05 {
				if inside := s.distance(s.Lines[0], p.X*share, p.Y*share) < 0; inside != (share < 1) &&
					(share < 0.97 || share > 1.03) {
					t.Errorf("slot %d: (%.2f, %.2f) is inside: %v", slot, p.X*share, p.Y*share, inside)
				}
			}
		}
	}
}
