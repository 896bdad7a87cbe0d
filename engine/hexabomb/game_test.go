package hexabomb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// row returns a board of n cells in a line, with a player starting on each given cell.
func row(n int, starts ...int) *Map {
	m := new(Map)
	for q := range n {
		m.Cells = append(m.Cells, hexgrid.Coord{Q: q})
	}
	for _, q := range starts {
		m.Starts = append(m.Starts, []hexgrid.Coord{{Q: q}})
	}
	return m
}

func start(t testing.TB, m *Map, players, specials int) *Game {
	t.Helper()
	return startOf(t, &current, m, players, specials)
}

// startOf returns a game by some edition of the rules.
func startOf(t testing.TB, e *edition, m *Map, players, specials int) *Game {
	t.Helper()
	g := Compile(m).newGame(e)
	if _, err := g.Start(engine.Setup{Players: players, Specials: specials}); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	thorough.Long(t)
	m := hexagon(3)
	m.Starts = [][]hexgrid.Coord{
		{{Q: -3, R: 0}, {Q: -3, R: 1}}, {{Q: 3, R: 0}, {Q: 3, R: -1}}, {{Q: 0, R: 3}, {Q: 1, R: 2}},
	}
	m.Specials = []hexgrid.Coord{{Q: 0, R: 0}}
	board := Compile(m)
	for name, tt := range map[string]struct {
		edition *edition
		setup   engine.Setup
	}{
		"classical":    {&current, engine.Setup{Players: 3, Turns: 50}},
		"sudden death": {&current, engine.Setup{Players: 3, Specials: 1, Turns: 50}},
		"draft":        {&draft, engine.Setup{Players: 3, Turns: 50}},
		"empty":        {&current, engine.Setup{}},
	} {
		t.Run(name, func(t *testing.T) {
			begun := start(t, m, tt.setup.Players, tt.setup.Specials) // to know the owner of each character
			enginetest.Run(t, func() engine.Game { return board.newGame(tt.edition) }, enginetest.Options{
				Setup:   tt.setup,
				Refused: []engine.Setup{{Players: 4}, {Players: 2, Specials: tt.edition.specials + 1}},
				Act: func(rnd *rand.Rand, _ []byte, p engine.PlayerID) []byte {
					return randomActions(rnd, begun, p)
				},
			})
		})
	}
}

func TestStartRefuses(t *testing.T) {
	at := func(q int) []hexgrid.Coord { return []hexgrid.Coord{{Q: q}} }
	tests := []struct {
		name  string
		m     *Map
		setup engine.Setup
		want  string
	}{
		{"too many players", row(3, 0, 2), engine.Setup{Players: 3}, "3 players on a map for up to 2"},
		{"two special players", row(3, 0, 2), engine.Setup{Players: 1, Specials: 2}, "2 special players"},
		{"no special positions", row(3, 0, 2), engine.Setup{
			Players: 1, Specials: 1,
		}, "without special positions"},
		{"no positions", row(3), engine.Setup{}, "no player has a position"},
		{"cells out of order", &Map{
			Cells: []hexgrid.Coord{{Q: 1}, {Q: 0}}, Starts: [][]hexgrid.Coord{at(0)},
		}, engine.Setup{}, "cells[1] (0,0)"},
		{"cell far away", &Map{
			Cells: []hexgrid.Coord{{Q: MaxCoord + 1}}, Starts: [][]hexgrid.Coord{at(0)},
		}, engine.Setup{}, "beyond"},
		{"off the board", row(3, 7), engine.Setup{}, "(7,0) is off the board"},
		{"taken twice", row(3, 1, 1), engine.Setup{}, "(1,0) is off the board or taken twice"},
		{"uneven", &Map{
			Cells: row(2).Cells, Starts: [][]hexgrid.Coord{at(0), nil},
		}, engine.Setup{}, "player 1 has 0 positions"},
	}
	for _, tt := range tests {
		if _, err := New(tt.m).Start(tt.setup); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Start(%+v) = %v, want %q in it", tt.name, tt.setup, err, tt.want)
		}
	}
	g := start(t, row(3, 0), 1, 0)
	if _, err := g.Start(engine.Setup{Players: 1}); err == nil {
		t.Error("Start succeeded twice")
	}
	m := row(3, 0, 2)
	m.Specials = at(1)
	_, err := Compile(m).NewDraftGame().Start(engine.Setup{Players: 1, Specials: 1})
	const want = "1 special players; at most 0 by the rules hexabomb-draft/1"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a special player by the draft rules: %v, want %q in it", err, want)
	}
}

// Of several actions for a character the first counts; by the draft rules, bombs out of range and
// revivals without a cell are no actions.
func TestDraftReasons(t *testing.T) {
	const step = `{"id":0,"movement":"move","direction":"x+"}`
	for text, want := range map[string]string{
		`[{"id":0,"movement":"bomb","bomb_range":5,"bomb_delay":2},` + step + `]`:               "range or delay out of range",
		`[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":1},` + step + `]`:               "range or delay out of range",
		`[{"id":0,"movement":"revive"},` + step + `]`:                                           "malformed",
		`[{"id":0,"movement":"revive","revive_q":1,"revive_r":0.0},` + step + `]`:               "malformed",
		`[{"id":0,"movement":"revive","revive_q":1,"revive_r":0},{"id":0,"movement":"revive"}]`: "alive",
		`[{"id":0,"movement":"revive","revive_q":9,"revive_r":9}]`:                              "alive",
		`[{"id":1,"movement":"bomb","bomb_range":9,"bomb_delay":2}]`:                            "not yours",
	} {
		g := startOf(t, &draft, row(5, 0, 2), 2, 0)
		r := g.Step([]engine.Input{{Actions: []byte(text)}})
		if len(r.Refused) == 0 || r.Refused[0].Reason != want {
			t.Errorf("%s: refused %v, want %q", text, r.Refused, want)
		}
		if moved, want := g.chars[0].cell == 1, strings.Contains(text, step); moved != want {
			t.Errorf("%s: the character has moved: %v", text, moved)
		}
	}
}

// A dead character is revived on the cell that its player names.
func TestDraftRevival(t *testing.T) {
	g := startOf(t, &draft, row(5, 0, 4), 2, 0)
	const bomb = `[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":2}]`
	g.Step([]engine.Input{{Actions: []byte(bomb)}})
	for range 6 {
		g.Step(nil)
	}
	for _, tt := range []struct {
		q    int
		want string
	}{{5, "no such cell"}, {4, "blocked"}, {3, ""}} {
		text := fmt.Sprintf(`[{"id":0,"movement":"revive","revive_q":%d,"revive_r":0}]`, tt.q)
		got := ""
		if r := g.Step([]engine.Input{{Actions: []byte(text)}}); len(r.Refused) > 0 {
			got = r.Refused[0].Reason
		}
		if got != tt.want {
			t.Errorf("%s: refused as %q, want %q", text, got, tt.want)
		}
	}
	const want = `"characters":[{"id":0,"color":1,"q":3,"r":0,"alive":true,"revive_delay":-1},`
	if state := string(g.AppendState(nil)); !strings.Contains(state, want) {
		t.Errorf("state = %s, want %s in it", state, want)
	}
}

// TestReasons provokes a refusal for each reason. The characters stand on cells 0 and 2
// of a row of five cells; in sudden death the special character has id 0 and stands on
// cell 4.
func TestReasons(t *testing.T) {
	const (
		bomb = `[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":2}]`
		idle = `[]`
	)
	move := func(id int, dir string) string {
		return fmt.Sprintf(`[{"id":%d,"movement":"move","direction":%q}]`, id, dir)
	}
	type turn map[engine.PlayerID]string
	tests := []struct {
		specials int
		turns    []turn // what the players do; the last turn has the refusal
		want     engine.Refusal
	}{
		{0, []turn{{5: idle}}, engine.Refusal{Player: 5, Action: -1, Reason: "unknown player"}},
		{0, []turn{{0: `[{"id":0`}}, engine.Refusal{Action: -1, Reason: "unreadable"}},
		{0, []turn{
			{0: `[{"id":0,"movement":"revive"},]`},
		}, engine.Refusal{Action: -1, Reason: "unreadable"}},
		{0, []turn{
			{0: `{"id":0,"movement":"revive"}`},
		}, engine.Refusal{Action: -1, Reason: "unreadable"}},
		{0, []turn{{0: `[{"id":0}]`}}, engine.Refusal{Reason: "malformed"}},
		{0, []turn{{0: move(9, "x+")}}, engine.Refusal{Reason: "unknown character"}},
		{0, []turn{{0: move(1, "x+")}}, engine.Refusal{Reason: "not yours"}},
		{
			0,
			[]turn{{0: strings.TrimSuffix(move(0, "x+"), "]") + "," + move(0, "x+")[1:]}},
			engine.Refusal{Action: 1, Reason: "one action per character"},
		},
		{0, []turn{{0: move(0, "y+")}}, engine.Refusal{Reason: "no such cell"}},
		{0, []turn{{1: move(1, "x-")}, {0: move(0, "x+")}}, engine.Refusal{Reason: "blocked"}},
		{0, []turn{{0: bomb}, {0: bomb}}, engine.Refusal{Reason: "no bomb left"}},
		{0, []turn{
			{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {0: bomb}, {0: bomb},
		}, engine.Refusal{Reason: "bomb already here"}},
		{0, []turn{
			{0: strings.Replace(bomb, "2", "5", 1)},
		}, engine.Refusal{Reason: "range or delay out of range"}},
		{0, []turn{{0: bomb}, {}, {}, {0: move(0, "x+")}}, engine.Refusal{Reason: "dead"}},
		{0, []turn{{0: bomb}, {}, {}, {0: bomb}}, engine.Refusal{Reason: "dead"}},
		{0, []turn{
			{0: bomb}, {}, {}, {0: `[{"id":0,"movement":"revive"}]`},
		}, engine.Refusal{Reason: "cannot revive yet"}},
		{0, []turn{{0: `[{"id":0,"movement":"revive"}]`}}, engine.Refusal{Reason: "alive"}},
		{1, []turn{{1: `[{"id":1,"movement":"revive"}]`}}, engine.Refusal{
			Player: 1, Reason: "no revival in sudden death",
		}},
	}
	for _, tt := range tests {
		m := row(5, 0, 2)
		m.Specials = []hexgrid.Coord{{Q: 4}}
		g := start(t, m, 2, tt.specials)
		var got engine.Result
		for _, turn := range tt.turns {
			var inputs []engine.Input
			for p, actions := range turn {
				inputs = append(inputs, engine.Input{Player: p, Actions: []byte(actions)})
			}
			got = g.Step(inputs)
		}
		if len(got.Refused) != 1 || got.Refused[0] != tt.want {
			t.Errorf("after %v, refused = %v, want %v", tt.turns, got.Refused, tt.want)
		}
	}
}

// TestLapses checks that the actions of an input with a lapse have no effect.
func TestLapses(t *testing.T) {
	actions := []byte(`[{"id":0,"movement":"move","direction":"x+"}]`)
	for _, lapse := range []engine.Lapse{engine.TimedOut, engine.Gone, engine.Malformed} {
		g := start(t, row(3, 0), 1, 0)
		r := g.Step([]engine.Input{{Player: 0, Actions: actions, Lapse: lapse}})
		if len(r.Refused) != 0 || g.chars[0].cell != 0 {
			t.Errorf("%v: the character is on cell %d, refused %v; want 0 and none", lapse, g.chars[0].cell,
				r.Refused)
		}
	}
}

// TestSurplus checks that the number of reported refusals is bounded and that actions
// after the bound still count.
func TestSurplus(t *testing.T) {
	g := start(t, row(3, 0), 1, 0)
	text := "[" + strings.Repeat("7,", 10*maxSurplus) + `{"id":0,"movement":"move","direction":"x+"}]`
	r := g.Step([]engine.Input{{Player: 0, Actions: []byte(text)}})
	if len(r.Refused) != maxSurplus || g.chars[0].cell != 1 {
		t.Errorf("%d refused, the character on cell %d; want %d and 1", len(r.Refused), g.chars[0].cell,
			maxSurplus)
	}
}

// TestStateText compares the state with the output of encoding/json where both must
// agree, and checks the padding where they do not.
func TestStateText(t *testing.T) {
	g := start(t, row(2, 0), 1, 0)
	const want = `{"cells":[{"q":0,"r":0,"color":1},{"q":1,"r":0,"color":0}],` +
		`"characters":[{"id":0,"color":1,"q":0,"r":0,"alive":true,"revive_delay":-1,"bomb_count":1}],` +
		`"bombs":[],"explosions":{},"cell_count":{"0":1},"score":{"0":0}}`
	if got := string(g.AppendState(nil)); got != want {
		t.Errorf("state = %s, want %s", got, want)
	}
	s, err := ParseState([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := marshal(t, s); string(got) != want {
		t.Errorf("ParseState and back = %s, want %s", got, want)
	}
	if _, err := ParseState([]byte(`{"cells":7}`)); err == nil {
		t.Error("ParseState accepts cells that are a number")
	}

	many := row(12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	text := start(t, many, 10, 0).AppendState(nil)
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`{"q":8,"r":0,"color": 9}`, `{"q":9,"r":0,"color":10}`, `{"q":11,"r":0,"color": 0}`,
	} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("state = %s, want %s in it", text, part)
		}
	}
}
