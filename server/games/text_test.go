package games_test

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games"
)

// The neighbours of a cell stand around it, and a line names its first cell.
func TestGrid(t *testing.T) {
	cells := []hexgrid.Coord{{}, {Q: 1}, {Q: 1, R: -1}, {R: -1}, {Q: -1}, {Q: -1, R: 1}, {R: 1}}
	got, err := games.Grid(cells, 1, func(i int) string { return string(rune('0' + i)) })
	want := "r=-1  q=0    3 2\nr=0   q=-1  4 0 1\nr=1   q=-1   5 6\n"
	if err != nil || got != want {
		t.Errorf("the grid is\n%swant\n%s%v", got, want, err)
	}
	far := []hexgrid.Coord{{}, {Q: 1 << 20}}
	if _, err := games.Grid(far, 1, func(int) string { return "" }); err == nil {
		t.Error("a grid of a million columns has no error")
	}
}

// A board of radius 6 takes 40 lines at the most, and no line changes its place from turn to turn.
func TestText(t *testing.T) {
	for _, line := range []string{"--map pebble", "--map pebble --rules draft", "--game hextictactoe"} {
		i, err := instance(t, config.Play, line)
		if err != nil {
			t.Fatal(err)
		}
		game := i.New()
		if _, err := game.Start(engine.Setup{Players: i.Players, Turns: 5}); err != nil {
			t.Fatal(err)
		}
		m := &games.Match{Setup: i.Setup, Names: make([]string, i.Players), Turns: 5}
		g := all.OfRules(game.Rules())
		first, err := g.Text(m, game.AppendState(nil))
		if err != nil {
			t.Fatal(err)
		}
		game.Step(nil)
		second, err := g.Text(m, game.AppendState(nil))
		if n := strings.Count(second, "\n"); err != nil || n > 39 || strings.Count(first, "\n") != n {
			t.Errorf("%s: %d and %d lines, %v:\n%s", line, strings.Count(first, "\n"), n, err, second)
		}
		if _, err := g.Text(m, []byte(`{}`)); line == "--game hextictactoe" && err == nil {
			t.Errorf("%s: a state without pieces has no error", line)
		}
	}
}
