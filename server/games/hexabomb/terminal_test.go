package hexabomb

import (
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

func TestTags(t *testing.T) {
	one := &terminal{specials: 1}
	for color, want := range map[hexabomb.Color]string{
		1: "@", 2: "A", 27: "Z", 28: "Aa", 54: "Ba", 1025: "Mj",
	} {
		if got := one.tag(color); got != want {
			t.Errorf("the tag of color %d is %q, want %q", color, got, want)
		}
	}
}

func TestTextureTellsNeighboursApart(t *testing.T) {
	for q := range 5 {
		for r := range 5 {
			c := hexgrid.Coord{Q: q - 2, R: r - 2}
			for _, d := range hexgrid.Dirs {
				if a, b := texture(freeColor, c), texture(freeColor, c.Step(d)); a == b {
					t.Errorf("%v and its neighbour in direction %v are both %v", c, d, a)
				}
			}
		}
	}
}
