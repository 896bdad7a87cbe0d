package hexabomb

import (
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
)

func TestTags(t *testing.T) {
	one := &terminal{specials: 1}
	for color, want := range map[hexabomb.Color]string{1: "@", 2: "A", 27: "Z", 28: "Aa", 54: "Ba", 1025: "Mj"} {
		if got := one.tag(color); got != want {
			t.Errorf("the tag of color %d is %q, want %q", color, got, want)
		}
	}
}
