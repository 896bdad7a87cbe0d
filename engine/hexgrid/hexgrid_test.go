package hexgrid

import "testing"

func TestDirections(t *testing.T) {
	want := map[string]Coord{
		"x+": {1, 0}, "y+": {1, -1}, "z+": {0, -1},
		"x-": {-1, 0}, "y-": {-1, 1}, "z-": {0, 1},
	}
	for _, d := range Dirs {
		to, ok := want[d.String()]
		if !ok {
			t.Errorf("there is no direction %v, or it is there twice", d)
		}
		delete(want, d.String())
		if got := (Coord{}).Step(d); got != to {
			t.Errorf("Step(%v) = %v, want %v", d, got, to)
		}
		if got := to.Step(d.Opposite()); got != (Coord{}) {
			t.Errorf("there and back along %v ends at %v", d, got)
		}
	}
	if len(want) > 0 {
		t.Errorf("the directions %v are missing", want)
	}
}

func TestRotationKeepsDistance(t *testing.T) {
	for _, d := range Dirs {
		next := (d + 1) % NumDirs
		if got := (Coord{}).Step(d).RotateLeft(); got != (Coord{}).Step(next) {
			t.Errorf("%v turned left is %v, want %v", d, got, next)
		}
	}
	a, b := Coord{3, -5}, Coord{-2, 1}
	want := Distance(a, b)
	for range NumDirs {
		a, b = a.RotateLeft(), b.RotateLeft()
		if got := Distance(a, b); got != want {
			t.Errorf("distance after turning = %d, want %d", got, want)
		}
		if got := Distance(a.Mirror(), b.Mirror()); got != want {
			t.Errorf("distance after mirroring = %d, want %d", got, want)
		}
	}
	if a != (Coord{3, -5}) {
		t.Errorf("six rotations lead to %v", a)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b Coord
		want int
	}{
		{Coord{}, Coord{}, 0},
		{Coord{}, Coord{3, 0}, 3},
		{Coord{}, Coord{3, -3}, 3},
		{Coord{}, Coord{3, 2}, 5},
		{Coord{-2, 4}, Coord{1, -1}, 5},
	}
	for _, tt := range tests {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%v, %v) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%v, %v) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
