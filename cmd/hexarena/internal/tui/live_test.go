package tui

import (
	"encoding/json"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	games "github.com/hexarena/hexarena/server/games/hexabomb"
)

// newModel returns a view of a state in the middle of a match.
func newModel(
	t *testing.T, cells []hexgrid.Coord, state *hexabomb.State, specials int, labels ...string,
) *model {
	t.Helper()
	terminal := games.NewTerminal(cells, len(labels), specials)
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := terminal.Screen(text)
	if err != nil {
		t.Fatal(err)
	}
	o := LiveOptions{Title: "hexabomb on field"}
	if specials > 0 {
		o.Title += ", sudden death"
	}
	o.Match.Turns = 100
	m := &model{
		view: &live{options: o}, board: newBoard(cells), depth: noColors, width: 44, height: 11,
		scene: &scene{Screen: screen, step: 12},
	}
	for i, label := range labels {
		m.scene.seats = append(m.scene.seats, seat{label: label, connected: i > 0})
	}
	return m
}

// everything returns a state with everything that can be seen.
func everything() ([]hexgrid.Coord, *hexabomb.State) {
	at := func(q, r int) hexgrid.Coord { return hexgrid.Coord{Q: q, R: r} }
	s := &hexabomb.State{
		Characters: []hexabomb.Character{
			{ID: 0, Color: 1, Coord: at(0, 0), Alive: true},
			{ID: 1, Color: 2, Coord: at(2, 0), Alive: true},
			{ID: 2, Color: 2, Coord: at(1, 1), Alive: true},
			{ID: 3, Color: 2, Coord: at(3, 1)},
			{ID: 4, Color: 3, Coord: at(1, 2)},
		},
		Bombs: []hexabomb.Bomb{
			{Color: 2, Delay: 3, Coord: at(1, 1)},
			{Color: 3, Delay: 4, Coord: at(4, 0)},
			{Color: 1, Delay: 37, Coord: at(0, 2)},
		},
		Explosions: map[hexabomb.Color][]hexgrid.Coord{0: {at(2, 2)}, 2: {at(1, 2)}},
		CellCount:  map[engine.PlayerID]int{0: 3, 1: 4, 2: 5},
		Score:      map[engine.PlayerID]int{0: 0, 1: 11, 2: 12},
	}
	var cells []hexgrid.Coord
	for q := range 5 {
		for r := range 3 {
			cells = append(cells, at(q, r))
			s.Cells = append(s.Cells, hexabomb.Cell{Coord: at(q, r), Color: hexabomb.Color((q + 2*r) % 4)})
		}
	}
	return cells, s
}

// Without colors, letters and signs say everything.
func TestLiveWithoutColors(t *testing.T) {
	cells, state := everything()
	m := newModel(t, cells, state, 1, "hunter", "painter", "my_bot.py")
	m.width, m.height = 60, 8
	got := stripped(m.draw())
	want := strings.Join([]string{
		" hexarena  hexabomb on field, sudden death   turn 11 of 100 ",
		"    @ 20%        A 26%             B 33%         free 20%   ",
		"                       B   my_bot.py                   12   ",
		"     @1@ A1b *4        A   painter                     11   ",
		"      a A*· xAa        @   hunter gone                  0   ",
		"       37xB**b ·                                            ",
		"                                                            ",
		" space pause   . step   - + speed   f full speed   q stop   ",
	}, "\n")
	if got != want {
		t.Errorf("view:\n%s\nwant\n%s", got, want)
	}
}

// The head says which players have no time limit, as long as they are connected.
func TestLiveNamesUntimedPlayers(t *testing.T) {
	cells, state := everything()
	m := newModel(t, cells, state, 0, "gone", "my_bot.py", "painter")
	m.width, m.height = 60, 8
	for i := range 2 {
		m.scene.seats[i].untimed = true
	}
	head, _, _ := strings.Cut(stripped(m.draw()), "\n")
	if want := " hexarena  no time limit for my_bot.py       turn 11 of 100 "; head != want {
		t.Errorf("the head is %q, want %q", head, want)
	}
}

// What the user should not miss is shown with its lines, before the first frame and beside the
// board.
func TestLiveWarns(t *testing.T) {
	cells, state := everything()
	m := newModel(t, cells, state, 0, "painter")
	m.width, m.height = 60, 14
	m.view.Warn("bad.rs never logged in: rustc cannot build bad.rs\nerror: unterminated string\n " +
		"--> bad.rs:1:21\n  |")
	board := m.scene
	for _, m.scene = range []*scene{nil, board} {
		text := stripped(m.draw())
		for _, line := range []string{
			" bad.rs never logged in: rustc cannot build bad.rs ", " error: unterminated string ",
			"  --> bad.rs:1:21 ",
		} {
			if !strings.Contains(text, line) {
				t.Errorf("with a board: %v, the terminal lacks %q:\n%s", m.scene != nil, line, text)
			}
		}
	}
}

func stripped(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		_, text, _ = strings.Cut(text[i:], "m")
	}
}

// TestLiveFitsAnyTerminal draws boards on terminals of all sizes, with as many lines and
// columns as the terminal has.
func TestLiveFitsAnyTerminal(t *testing.T) {
	thorough.Long(t)
	board, err := maps.Load("honeycomb")
	if err != nil {
		t.Fatal(err)
	}
	g := hexabomb.New(board)
	if _, err := g.Start(engine.Setup{Players: 6, Specials: 1}); err != nil {
		t.Fatal(err)
	}
	state, err := hexabomb.ParseState(g.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	cells, few := everything()
	models := []*model{
		newModel(t, board.Cells, state, 1, "hunter", "a", "b", "c", "a_very_long_name_of_a_bot",
			"日本語のボット", "f"),
		newModel(t, cells, few, 1, "hunter", "painter", "my_bot.py"),
	}
	for _, m := range models {
		for width := 1; width <= 150; width += 1 + width/3 {
			for height := 1; height <= 60; height += 1 + height/3 {
				for _, m.depth = range []depth{trueColors, manyColors, fewColors, noColors} {
					m.width, m.height = width, height
					text := m.draw()
					lines := strings.Split(text, "\n")
					if len(lines) != height {
						t.Fatalf("%d lines on a terminal of %d × %d", len(lines), width, height)
					}
					for _, line := range lines {
						if w := lipgloss.Width(line); w != width {
							t.Fatalf("a line of %d columns on a terminal of %d × %d: %q", w, width, height, line)
						}
					}
					if m.depth == noColors && strings.Contains(text, "8;2;") {
						t.Fatal("colors on a terminal that has none")
					}
				}
			}
		}
	}
}

// The board is drawn at the largest scale that fits.
func TestLiveScales(t *testing.T) {
	board, err := maps.Load(maps.Default)
	if err != nil {
		t.Fatal(err)
	}
	g := hexabomb.New(board)
	if _, err := g.Start(engine.Setup{Players: 4}); err != nil {
		t.Fatal(err)
	}
	state, err := hexabomb.ParseState(g.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		width, height int
		depth         depth
		want          scale
		beside        bool
	}{
		{160, 50, trueColors, large, true},
		{80, 24, trueColors, medium, true},
		{60, 30, trueColors, medium, false},
		{60, 20, trueColors, small, false},
		{60, 20, noColors, medium, false},
	} {
		m := newModel(t, board.Cells, state, 0, "a", "b", "c", "d")
		m.depth = tt.depth
		p := newCanvas(tt.width, tt.height-3, 0).all()
		if l := m.layOut(p); l.scale != tt.want || l.beside != tt.beside {
			t.Errorf("on %d × %d: scale %d, ranking beside it %v, want %d, %v", tt.width, tt.height, l.scale,
				l.beside, tt.want, tt.beside)
		}
	}
}
