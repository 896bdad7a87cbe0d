package maps

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// TestStateSVG checks that a picture of a match shows what is on the board and escapes names.
func TestStateSVG(t *testing.T) {
	m, err := Load("lagoon")
	if err != nil {
		t.Fatal(err)
	}
	start, exploded := m.Starts[0][0], m.Cells[3]
	s := &hexabomb.State{
		Cells: []hexabomb.Cell{{Coord: start, Color: 2}, {Coord: m.Cells[0], Color: 1}},
		Characters: []hexabomb.Character{
			{ID: 0, Color: 1, Coord: m.Specials[0], Alive: true},
			{ID: 1, Color: 2, Coord: start, Alive: true},
			{ID: 2, Color: 2, Coord: m.Cells[2]},
		},
		Bombs: []hexabomb.Bomb{
			{Color: 2, Range: 3, Delay: 1, Coord: m.Cells[1]},
			{Color: 2, Range: 2, Delay: 4, Coord: start}, // under a character
		},
		Explosions: map[hexabomb.Color][]hexgrid.Coord{0: {exploded}, 2: {m.Cells[4]}},
		Score:      map[engine.PlayerID]int{1: 1234},
	}
	var b bytes.Buffer
	scene := Scene{Title: "lagoon", Caption: "turn 3 of <9>", State: s, Specials: 1, Names: []string{"ghost", "<ann>"}}
	if err := StateSVG(&b, m, scene); err != nil {
		t.Fatal(err)
	}
	checkXML(t, b.Bytes())
	for want, times := range map[string]int{
		"turn 3 of &lt;9&gt;": 1, "&lt;ann&gt; 1\u2009234": 1, `class="blast"`: 2,
		"explodes in 1 turn, range 3": 1, "explodes in 4 turns, range 2": 1, ">4</text>": 1, `<g class="dead">`: 1, `class="tile f0"`: 1, `class="tile haunted"`: 1,
	} {
		if got := strings.Count(b.String(), want); got != times {
			t.Errorf("the picture has %q %d times, want %d", want, got, times)
		}
	}
}
