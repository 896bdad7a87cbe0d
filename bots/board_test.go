package bots

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// small is a board with a hole, a corridor and room for all players.
var small = botstest.Drawn(
	"00.....11",
	"0...  ..1",
	"....S...",
	".. ..   ",
	".......",
)

// seen returns the content of a board as a state, without what strategies ignore.
func (b *board) seen() *hexabomb.State {
	s := &hexabomb.State{}
	for i, c := range b.coords {
		s.Cells = append(s.Cells, hexabomb.Cell{Coord: c, Color: hexabomb.Color(b.color[i])})
	}
	for _, ch := range b.characters {
		bombs := int(ch.bombs)
		s.Characters = append(s.Characters, hexabomb.Character{
			ID: ch.id, Color: hexabomb.Color(ch.color), Coord: b.coords[ch.at],
			Alive: ch.alive, ReviveDelay: int(ch.revive), BombCount: &bombs,
		})
	}
	for _, bo := range b.bombs {
		s.Bombs = append(s.Bombs, hexabomb.Bomb{
			Color: hexabomb.Color(bo.color), Range: int(bo.reach), Delay: int(bo.delay),
			Coord: b.coords[bo.at],
		})
	}
	return s
}

// sameState compares what b has read with the result of encoding/json.
func sameState(t *testing.T, b *board, state []byte) {
	t.Helper()
	want, err := hexabomb.ParseState(state)
	if err != nil {
		t.Fatal(err)
	}
	clean := &hexabomb.State{Cells: want.Cells, Characters: want.Characters, Bombs: want.Bombs}
	if diff := cmp.Diff(clean, b.seen(), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("read(%.80s…) differs from encoding/json (-want +got):\n%s", state, diff)
	}
	for i, ch := range b.characters {
		if ch.alive && b.living[ch.at] != int32(i) {
			t.Errorf("living at %v = %d, want %d", b.coords[ch.at], b.living[ch.at], i)
		}
	}
	for i, bo := range b.bombs {
		if b.lying[bo.at] != int32(i) {
			t.Errorf("lying at %v = %d, want %d", b.coords[bo.at], b.lying[bo.at], i)
		}
	}
}

// writings are different encodings of one state.
var writings = map[string]func(t *testing.T, state []byte) []byte{
	"unchanged": func(_ *testing.T, state []byte) []byte { return state },
	"keys sorted": func(t *testing.T, state []byte) []byte {
		var tree any
		if err := json.Unmarshal(state, &tree); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		return text
	},
	"indented": func(t *testing.T, state []byte) []byte {
		var text bytes.Buffer
		if err := json.Indent(&text, state, "\r\n", "\t"); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	},
	"floats and escapes": func(_ *testing.T, state []byte) []byte {
		text := bytes.ReplaceAll(state, []byte(`"color":1`), []byte(`"c\u006flor":10.0e-1`))
		return bytes.ReplaceAll(text, []byte(`"alive":`), []byte(`"mood":{"a":["}\\\"",null]},"alive":`))
	},
}

func TestBoardReadsStates(t *testing.T) {
	thorough.Long(t)
	for name, write := range writings {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, small, "special random", "random", "painter")
			info := Info{Player: 1, Players: 2, Specials: 1}
			b, err := newBoard(info, write(t, g.state))
			if err != nil {
				t.Fatal(err)
			}
			for turn := range 60 {
				g.step()
				text := write(t, g.state)
				if err := b.read(turn, text); err != nil {
					t.Fatal(err)
				}
				sameState(t, b, g.state)
			}
		})
	}
}

// TestBoardFollowsChangesOfLayout checks that a state may have its cells in another order,
// and another encoding, than the previous one.
func TestBoardFollowsChangesOfLayout(t *testing.T) {
	g := newGame(t, small, "random", "painter")
	b, err := newBoard(Info{Players: 2}, g.state)
	if err != nil {
		t.Fatal(err)
	}
	lots := rand.New(rand.NewPCG(3, 3))
	for turn := range 40 {
		g.step()
		s := g.now()
		text := g.state
		if turn%3 == 1 {
			lots.Shuffle(len(s.Cells), func(i, j int) { s.Cells[i], s.Cells[j] = s.Cells[j], s.Cells[i] })
			if text, err = json.Marshal(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.read(turn, text); err != nil {
			t.Fatal(err)
		}
		sameState(t, b, g.state)
	}
}

func TestNeighbours(t *testing.T) {
	g := newGame(t, small, "idle")
	b, err := newBoard(Info{Players: 1}, g.state)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range small.Cells {
		for _, d := range hexgrid.Dirs {
			got, ok := b.next[i][d], small.HasCell(c.Step(d))
			if ok != (got != none) || ok && b.coords[got] != c.Step(d) {
				t.Errorf("the neighbour of %v in direction %v is cell %d, which is wrong", c, d, got)
			}
		}
	}
}

func TestBrokenStates(t *testing.T) {
	const cells = `{"cells":[{"q":0,"r":0,"color":0},{"q":1,"r":0,"color":0}]`
	tests := []struct{ name, state, want string }{
		{"no text", ``, "unreadable"},
		{"null", `null`, "unreadable"},
		{"an array", `[]`, "unreadable"},
		{"cut off", cells + `,"characters":[{"id":1`, "unreadable"},
		{"cells that are not an array", `{"cells":{}}`, "unreadable"},
		{"cells that are numbers", `{"cells":[1,2]}`, "unreadable"},
		{"half a coordinate", `{"cells":[{"q":0.5,"r":0}]}`, "unreadable"},
		{"a number too large", `{"cells":[{"q":4294967296,"r":0}]}`, "unreadable"},
		{"a cell twice", `{"cells":[{"q":1,"r":0},{"q":1,"r":0}]}`, "appears twice"},
		{"a character off the board", cells + `,"characters":[{"id":4,"q":7,"r":7,"alive":true}]}`, "character 4"},
		{"a bomb off the board", cells + `,"bombs":[{"q":7,"r":7}]}`, "a bomb"},
		{"alive but a number", cells + `,"characters":[{"id":4,"q":0,"r":0,"alive":1}]}`, "unreadable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := New("painter", 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Start(Info{Players: 1}, []byte(tt.state)); !errors.Is(err, errState) ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("Start(%s) = %v, want an error with %q", tt.state, err, tt.want)
			}
			if _, err := s.Turn(0, []byte(cells+"}"), nil); err == nil {
				t.Error("Turn before Start succeeds")
			}
			if err := s.Start(Info{Players: 1}, []byte(cells+`}`)); err != nil {
				t.Fatal(err)
			}
			if tt.name == "a cell twice" {
				return // the cells are read only at the start
			}
			if got, err := s.Turn(0, []byte(tt.state), []byte("x")); !errors.Is(err, errState) ||
				string(got) != "x" {
				t.Errorf("Turn(%s) = %s, %v, want an error", tt.state, got, err)
			}
			if got, err := s.Turn(1, []byte(cells+"}"), nil); err != nil || string(got) != "[]" {
				t.Errorf("Turn after a broken state = %s, %v, want []", got, err)
			}
		})
	}
}

func FuzzBoard(f *testing.F) {
	g := newGame(f, small, "special random", "random", "painter")
	start := bytes.Clone(g.state)
	f.Add(start)
	g.play(25)
	f.Add(bytes.Clone(g.state))
	f.Add([]byte(`{"cells":[],"characters":[],"bombs":[],"x":{"y":[1,"\"]"]}}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		for _, name := range Names() {
			s, err := New(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Start(Info{Player: 1, Players: 2, Specials: 1}, start); err != nil {
				t.Fatal(err)
			}
			answers(t, s, state)
			if s.Start(Info{Player: 0, Players: 2}, state) == nil {
				answers(t, s, state)
			}
		}
	})
}

// answers checks that the answer to a state, if there is one, is an array.
func answers(t *testing.T, s Strategy, state []byte) {
	t.Helper()
	answer, err := s.Turn(0, state, nil)
	if err == nil && !json.Valid(answer) {
		t.Fatalf("Turn(%s) = %s", state, answer)
	}
}
