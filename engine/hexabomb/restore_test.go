package hexabomb

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// A state that the rules cannot lead to is refused in words, and leaves the game as it was.
func TestRestoreRefuses(t *testing.T) {
	g := start(t, row(4, 0, 3), 2, 0)
	state := string(g.AppendState(nil))
	for _, tt := range []struct{ old, by, want string }{
		{`"color":1}`, `"color":9}`, "cells[0]: colour 9 is not from 0 to 2"},
		{`"q":1`, `"q":-1`, "cells[1] (-1,0) is out of order"},
		{`"id":1`, `"id":0`, "characters[1]: id 0, want 1"},
		{`"q":3,"r":0,"alive"`, `"q":0,"r":0,"alive"`, "characters[1]: another one stands at (0,0)"},
		{`"alive":true`, `"alive":false`, "characters[0]: alive is false with the revive_delay -1"},
		{`"bomb_count":1`, `"bomb_count":3`, "characters[0]: bomb_count 3 is not from 0 to 2"},
		{`,"bomb_count":1`, ``, "characters[0]: bomb_count is missing by the rules hexabomb/1"},
		{`"bombs":[`, `"bombs":[{"color":1,"range":9,"delay":2,"q":1,"r":0}`, "bombs[0]: range 9"},
		{`,"explosions":{}`, ``, "explosions are missing by the rules hexabomb/1"},
		{`"explosions":{`, `"explosions":{"1":[{"q":7,"r":0}]`, "explosions of colour 1: (7,0) is off"},
		{`"cell_count":{"0":1`, `"cell_count":{"0":2`, "cell_count of player 0 is 2, the cells have 1"},
		{`"score":{"0":0`, `"score":{"0":-1`, "the score of player 0 is missing or negative: -1"},
		{`"score":{"0":0,`, `"score":{`, "the score of 1 and the cell_count of 2 players, want 2"},
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
