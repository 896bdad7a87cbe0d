package hexabomb

import (
	"fmt"
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
)

func TestAnswerSize(t *testing.T) {
	for _, tt := range []struct{ player, special, want int }{
		{1, 0, 16 << 10}, {44, 0, 16 << 10}, {100, 0, 30720}, {7, 200, 56320},
	} {
		m := &hexabomb.Map{
			Starts:   [][]hexgrid.Coord{make([]hexgrid.Coord, tt.player)},
			Specials: make([]hexgrid.Coord, tt.special),
		}
		got := answerSize(m)
		if got != tt.want {
			t.Errorf("%d characters, special ones %d: %d bytes, want %d", tt.player, tt.special, got,
				tt.want)
		}
		longest := fmt.Sprintf(
			`{"id": %d, "movement": "revive", "direction": "x+", "bomb_range": 100, "bomb_delay": 100},`,
			-1<<31)
		if n := max(tt.player, tt.special) * len(longest) * 2; n > got {
			t.Errorf("answers of %d bytes do not fit %d", n, got)
		}
	}
	for _, name := range maps.Names() { // none needs more than what the documentation says
		m, err := maps.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := answerSize(m); n != games.UsualAnswer {
			t.Errorf("map %s: %d bytes", name, n)
		}
	}
}
