package hextictactoe

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// A state that the rules cannot lead to is refused in words, and leaves the game as it was.
func TestRestoreRefuses(t *testing.T) {
	g := start(t, Defaults(), 50)
	g.Step([]engine.Input{{Player: O.Player(), Actions: []byte(
		`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]`)}})
	state := string(g.AppendState(nil))
	for _, tt := range []struct{ old, by, want string }{
		{`"status":"in_progress"`, `"status":"lost"`, `status "lost" is not in_progress`},
		{`"to_move":"x"`, `"to_move":"z"`, `to_move is "z", it must be x or o`},
		{`{"q":2,"r":0,"p":"o"}`, `{"q":1,"r":0,"p":"o"}`, "two pieces at 1,0"},
		{`"move":1`, `"move":3`, "1 previous moves after 3"},
		{`"pieces":[{"q":1,`, `"pieces":[{"q":5,`, "previous[0]: o has no piece at 5,0"},
		{`"view_distance":8`, `"view_distance":0`, "view_distance 0 is not from 1"},
		{`"win_distance":6`, `"win_distance":2`, "o has already won in the setup"},
		{`"clocks":null`, `"clocks":{"x":1,"o":1}`, `clocks do not fit to the clock type "none"`},
		{`"turn_limit":50`, `"turn_limit":1`, "too many moves"},
	} {
		bad := strings.Replace(state, tt.old, tt.by, 1)
		_, err := g.Restore(engine.Setup{Players: 2}, 1, []byte(bad))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q by %q: Restore = %v, want %q in it", tt.old, tt.by, err, tt.want)
		}
		if now := string(g.AppendState(nil)); now != state {
			t.Fatalf("the refused state changed the game to %s", now)
		}
	}
}
