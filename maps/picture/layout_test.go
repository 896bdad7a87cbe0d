package picture

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// TestEveryPixelHasACell checks that every pixel of the board belongs to exactly one cell.
func TestEveryPixelHasACell(t *testing.T) {
	thorough.Long(t)
	var cells []hexgrid.Coord
	for q := -3; q <= 3; q++ {
		for r := -3; r <= 3; r++ {
			if -3 <= q+r && q+r <= 3 {
				cells = append(cells, hexgrid.Coord{Q: q, R: r})
			}
		}
	}
	for size := MinSize; size < 700; size += 7 {
		l, err := newLayout(cells, size)
		if err != nil {
			t.Fatal(err)
		}
		if l.size.X > size || l.size.Y > size {
			t.Errorf("size %d: the picture is %v", size, l.size)
		}
		within := 0
		for _, s := range l.own {
			within += s.x1 - s.x0
		}
		owned := 0
		for _, c := range l.owner {
			if c >= 0 {
				owned++
			}
		}
		middle := l.middles[l.at(hexgrid.Coord{})]
		for y := -2 * l.pitch; y < 2*l.pitch; y++ {
			for x := -2 * l.halfWidth; x < 2*l.halfWidth; x++ {
				if l.owner[(middle.Y+y)*l.size.X+middle.X+x] < 0 {
					t.Fatalf("size %d: (%d, %d) from the centre has no cell", size, x, y)
				}
			}
		}
		if owned != within*len(cells) {
			t.Errorf("size %d: %d pixels have a cell, want %d in each of %d", size, owned, within, len(cells))
		}
	}
}

func TestParsePath(t *testing.T) {
	square := parsePath("M-2-2H2V2L-2 2z")
	if want := []point{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}; !slices.Equal(square, want) {
		t.Errorf("parsePath = %v, want %v", square, want)
	}
	for _, tt := range []struct {
		path string
		x, y float64
		far  float64
	}{
		{"M-2-2H2V2H-2z", 0, 0, -2},
		{"M-2-2H2V2H-2z", 5, 0, 3},
		{"M-90 0a90 90 0 0 1 180 0a90 90 0 0 1-180 0z", 0, 0, -90},
		{"M-90 0a90 90 0 0 1 180 0a90 90 0 0 1-180 0z", 0, 100, 10},
		{"M-10 0Q0 20 10 0z", 0, 0, 0},
		{"M-10 0Q0 20 10 0z", 0, 15, 5},
	} {
		if got := inflated(parsePath(tt.path), 0)(tt.x, tt.y); got < tt.far-0.3 || got > tt.far+0.3 {
			t.Errorf("the distance of (%g, %g) from %s is %g, want %g", tt.x, tt.y, tt.path, got, tt.far)
		}
	}
}
