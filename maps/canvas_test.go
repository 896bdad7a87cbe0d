package maps

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

func TestDrawText(t *testing.T) {
	m, err := Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	want := `   · · · ·
  · · @ · ·
 A · · · · B
A · · @ · · B
 A · · · · B
  · · @ · ·
   · · · ·

A to B: players 0 to 1   @: special positions
`
	var b bytes.Buffer
	if err := DrawText(&b, m, NoColor); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != want {
		t.Errorf("DrawText =\n%s\nwant\n%s", got, want)
	}
}

// TestColorsChangeNoPlace checks that cells are drawn in the same places with colours.
func TestColorsChangeNoPlace(t *testing.T) {
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var plain bytes.Buffer
		if err := DrawText(&plain, m, NoColor); err != nil {
			t.Fatal(err)
		}
		for _, depth := range []ColorDepth{Color256, TrueColor} {
			var b bytes.Buffer
			if err := DrawText(&b, m, depth); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(b.String(), "\n")
			for i, line := range strings.Split(plain.String(), "\n") {
				got := strings.TrimRight(escapes.ReplaceAllString(lines[i], ""), " ")
				if want := strings.TrimRight(strings.ReplaceAll(line, "·", " "), " "); got != want {
					t.Fatalf("%s, depth %d, line %d = %q, want %q", name, depth, i, got, want)
				}
			}
		}
	}
}

func TestAppendFrame(t *testing.T) {
	// Two cells, a hole and a cell; two rows below, another cell.
	c, err := NewCanvas([]hexgrid.Coord{{Q: 0, R: 0}, {Q: 1, R: 0}, {Q: 0, R: 2}, {Q: 3, R: 0}})
	if err != nil {
		t.Fatal(err)
	}
	if columns, lines := c.Size(); columns != 8 || lines != 3 {
		t.Errorf("Size = %d, %d, want 8, 3", columns, lines)
	}
	red, blue := Hex(0xFF0000), Hex(0x0000FF)
	cells := []Cell{
		{Text: "abc", Fg: red, Bg: blue, Bold: true},
		{Text: "é", Fg: red, Bg: blue},
		{Text: "d"},
		{Bg: red},
	}
	frame := func(depth ColorDepth) string {
		return string(c.AppendFrame([]byte(">"), depth, func(i int, _ hexgrid.Coord) Cell { return cells[i] }))
	}
	for _, tt := range []struct {
		depth ColorDepth
		want  string
	}{
		{NoColor, ">abé\n\n  d"},
		{Color256, ">\x1b[1m\x1b[38;5;196m\x1b[48;5;21mab\x1b[0m\x1b[38;5;196m\x1b[48;5;21mé \x1b[0m  \x1b[48;5;196m  \x1b[0m\n\n  d "},
		{TrueColor, ">\x1b[1m\x1b[38;2;255;0;0m\x1b[48;2;0;0;255mab\x1b[0m\x1b[38;2;255;0;0m\x1b[48;2;0;0;255mé \x1b[0m  \x1b[48;2;255;0;0m  \x1b[0m\n\n  d "},
	} {
		if got := frame(tt.depth); got != tt.want {
			t.Errorf("AppendFrame at depth %d = %q, want %q", tt.depth, got, tt.want)
		}
	}
}

func TestNewCanvasBoundsItsSize(t *testing.T) {
	for _, far := range []hexgrid.Coord{{Q: MaxSpan}, {R: -MaxSpan}, {Q: 1 << 30, R: -1 << 30}, {Q: 1 << 30, R: 1 << 30}} {
		if _, err := NewCanvas([]hexgrid.Coord{{}, far}); err == nil || !strings.Contains(err.Error(), "spans") {
			t.Errorf("NewCanvas to %v = %v, want an error with the span", far, err)
		}
	}
	c, err := NewCanvas(nil)
	if err != nil {
		t.Fatal(err)
	}
	if frame := c.AppendFrame(nil, TrueColor, nil); len(frame) != 0 {
		t.Errorf("frame of no cells = %q", frame)
	}
}

func TestIndex256(t *testing.T) {
	for _, tt := range []struct {
		rgb  uint32
		want int
	}{
		{0x000000, 16}, {0xFFFFFF, 231}, {0xFF0000, 196}, {0x5F87AF, 67}, {0x808080, 244}, {0x080808, 232}, {0xEEEEEE, 255},
	} {
		if got := Hex(tt.rgb).index256(); got != tt.want {
			t.Errorf("index256(%06x) = %d, want %d", tt.rgb, got, tt.want)
		}
	}
}

func TestTextureTellsNeighboursApart(t *testing.T) {
	for _, c := range disc(4) {
		for _, d := range hexgrid.Dirs {
			if a, b := Texture(FreeColor, c), Texture(FreeColor, c.Step(d)); a == b {
				t.Errorf("%v and its neighbour in direction %v are both %v", c, d, a)
			}
		}
	}
}

func TestPlayerLettersAreUnique(t *testing.T) {
	seen := map[string]int{}
	for p := range MaxPlayers {
		name := playerLetters(p)
		if other, taken := seen[name]; taken || len(name) > CellWidth {
			t.Fatalf("playerLetters(%d) = %q, as player %d", p, name, other)
		}
		seen[name] = p
	}
	if playerLetters(0) != "A" || playerLetters(25) != "Z" || playerLetters(26) != "AA" || playerLetters(77) != "Az" || playerLetters(78) != "BA" {
		t.Errorf("letters of 0, 25, 26, 77, 78 = %s %s %s %s %s", playerLetters(0), playerLetters(25), playerLetters(26), playerLetters(77), playerLetters(78))
	}
	if got := playerLetters(1 << 30); got != "??" {
		t.Errorf("playerLetters(1<<30) = %q", got)
	}
}

func BenchmarkAppendFrame(b *testing.B) {
	m, err := Load("archipelago")
	if err != nil {
		b.Fatal(err)
	}
	c, err := NewCanvas(m.Cells)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var frame []byte
	for i := 0; b.Loop(); i++ {
		frame = c.AppendFrame(frame[:0], TrueColor, func(j int, at hexgrid.Coord) Cell {
			return Cell{Bg: Texture(PlayerLook((i+j)%4).Dark.Strong, at)}
		})
	}
}
