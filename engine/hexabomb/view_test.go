package hexabomb

import (
	"fmt"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// codesOf returns the codes of the characters after an answer of a player, each of whom has one.
func codesOf(t *testing.T, g *Game, in engine.Input) []byte {
	t.Helper()
	v := &View{
		Each: 1, Cells: make([]byte, CellBytes*len(g.cells)), Count: make([]int32, len(g.players)),
		Characters: make([]int32, CharacterFields*len(g.chars)), Mask: make([]int8, Codes*len(g.chars)),
	}
	g.Show(v)
	codes := make([]byte, len(g.chars))
	v.Codes(codes, &in)
	return codes
}

// The codes of an answer are the actions that may have an effect.
func TestCodes(t *testing.T) {
	const least, most = codeBomb, codeRevive - 1
	move := `{"id":0,"movement":"move","direction":"x+"}`
	bomb := func(reach, delay int) string {
		return fmt.Sprintf(`{"id":0,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, reach, delay)
	}
	for _, tt := range []struct {
		name, actions  string
		current, draft byte
	}{
		{"move", move, codeMove, codeMove},
		{"smallest bomb", bomb(2, 2), least, least},
		{"largest bomb", bomb(4, 4), most, most},
		{"too large", bomb(5, 4), 0, 0},
		{"too small", bomb(2, 1), 0, 0},
		// by the draft rules a bomb out of range is not read
		{"too large, then a move", bomb(9, 9) + "," + move, 0, codeMove},
		{"two", bomb(2, 2) + "," + move, least, least},
		{"malformed, then a move", `{"id":0,"movement":"move"},` + move, codeMove, codeMove},
		{"another's", `{"id":1,"movement":"move","direction":"x+"}`, 0, 0},
		{"off the board", `{"id":0,"movement":"move","direction":"x-"}`, 0, 0},
		{"alive", `{"id":0,"movement":"revive","revive_q":0,"revive_r":0}`, 0, 0},
		{"off the board, then a move", `{"id":0,"movement":"move","direction":"x-"},` + move, 0, 0},
		{"unknown", `{"id":7,"movement":"move","direction":"x+"}`, 0, 0},
	} {
		for e, want := range map[*edition]byte{&current: tt.current, &draft: tt.draft} {
			g := startOf(t, e, row(9, 0, 4), 2, 0)
			in := engine.Input{Actions: []byte("[" + tt.actions + "]")}
			if got := codesOf(t, g, in); got[0] != want || got[1] != 0 {
				t.Errorf("%s, %s: codes %v, want %d", tt.name, e.rules, got, want)
			}
			in.Lapse = engine.TimedOut
			if got := codesOf(t, g, in); got[0] != 0 {
				t.Errorf("%s, %s: code %d of an answer that came late", tt.name, e.rules, got[0])
			}
		}
	}
	m := row(9, 0)
	m.Specials = []hexgrid.Coord{{Q: 4}}
	g := start(t, m, 1, 1)
	in := engine.Input{Actions: []byte("[" + bomb(50, 3) + "]")}
	if got, want := codesOf(t, g, in)[0], byte(most-1); got != want {
		t.Errorf("code %d of a special player's bomb, want the nearest, %d", got, want)
	}
}
