package tui

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	games "github.com/hexarena/hexarena/server/games/hexabomb"
)

// written returns a map as WriteBoard writes it.
func written(t *testing.T, m *hexabomb.Map) (string, error) {
	t.Helper()
	state, specials := maps.Opening(m)
	var b bytes.Buffer
	err := WriteBoard(&b, games.NewTerminal(m.Cells, specials+len(m.Starts), specials), state)
	return b.String(), err
}

// On a pipe, a board is letters and signs.
func TestWriteBoard(t *testing.T) {
	m, err := maps.Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	want := `   · · · ·
  · · @3· ·
 A2· · · · B3
A1· · @1· · B1
 A3· · · · B2
  · · @2· ·
   · · · ·

A to B: players 0 to 1   @: special player
`
	if got, err := written(t, m); got != want || err != nil {
		t.Errorf("WriteBoard = %v\n%s\nwant\n%s", err, got, want)
	}
}

// Colors do not move cells.
func TestWriteBoardInColors(t *testing.T) {
	for _, name := range maps.Names() {
		m, err := maps.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := written(t, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range []string{"truecolor", ""} {
			t.Setenv("CLICOLOR_FORCE", "1")
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("COLORTERM", env)
			colored, err := written(t, m)
			if err != nil || !strings.Contains(colored, "38;") {
				t.Fatalf("%s: %v, %q", name, err, colored)
			}
			lines := strings.Split(stripped(colored), "\n")
			for i, line := range strings.Split(plain, "\n") {
				got, want := strings.TrimRight(lines[i], " "), strings.TrimRight(strings.ReplaceAll(line, "·", " "), " ")
				if got != want {
					t.Fatalf("%s, COLORTERM=%s, line %d = %q, want %q", name, env, i, got, want)
				}
			}
		}
		t.Setenv("CLICOLOR_FORCE", "")
	}
}

func TestWriteBoardBoundsItsSize(t *testing.T) {
	for _, far := range []hexgrid.Coord{
		{Q: maxSpan}, {R: -maxSpan}, {Q: 1 << 30, R: -1 << 30}, {Q: 1 << 30, R: 1 << 30},
	} {
		m := &hexabomb.Map{Cells: []hexgrid.Coord{{}, far}, Starts: [][]hexgrid.Coord{{{}}}}
		if _, err := written(t, m); err == nil || !strings.Contains(err.Error(), "spans") {
			t.Errorf("a board to %v: %v, want an error with the span", far, err)
		}
	}
}
