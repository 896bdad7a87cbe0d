package hextictactoe

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are wrong rules. Each is a piece of a file that is there exactly once
// and what it would be if the rule were understood wrongly.
var mutants = []struct{ name, file, old, new string }{
	{
		"the first piece does not win", "game.go",
		"case len(g.row) > 0:\n\t\tm.Placed = 1", "case false:\n\t\tm.Placed = 1",
	},
	{
		"one piece is enough", "game.go",
		"case m.Placed == 1:", "case false:",
	},
	{
		"the second piece does not count on the first", "game.go",
		"hexgrid.Distance(first.Coord, second.Coord) <= g.options.ViewDistance", "hexgrid.Distance(first.Coord, second.Coord) < 0",
	},
	{
		"one can see a cell less far", "game.go",
		"g.board.Near(c, g.options.ViewDistance)", "g.board.Near(c, g.options.ViewDistance-1)",
	},
	{
		"one can see a cell farther", "game.go",
		"g.board.Near(c, g.options.ViewDistance)", "g.board.Near(c, g.options.ViewDistance+1)",
	},
	{
		"pieces can be placed on others", "game.go",
		"g.board.At(c) != None:", "false:",
	},
	{
		"both pieces can be placed on one cell", "game.go",
		"case second == first:", "case false:",
	},
	{
		"the view is a rhombus", "board.go",
		"max(-distance, -up-distance)", "-distance",
	},
	{
		"one row fewer is seen", "board.go",
		"d <= distance; d++", "d < distance; d++",
	},
	{
		"a word of cells is cut short", "board.go",
		"asked &= ^uint64(0) >> (spanCells - 1 - to&(spanCells-1))", "asked &= ^uint64(0) >> (spanCells - to&(spanCells-1))",
	},
	{
		"one in a row too many is wanted", "board.go",
		"if length < n {", "if length <= n {",
	},
	{
		"rows do not turn", "board.go",
		"{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}", "{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.ZMinus}",
	},
	{
		"nobody is ever out of time", "clock.go",
		"case micros > *left:", "case false:",
	},
	{
		"an increment is not given", "clock.go",
		"1000*c.Increment - micros", "-micros",
	},
	{
		"the turn limit is a move later", "game.go",
		"g.moves >= g.limit", "g.moves > g.limit",
	},
	{
		"a forfeit is the winner's", "game.go",
		"g.end(g.toMove.Other(), forfeit)", "g.end(g.toMove, forfeit)",
	},
}

// TestMutants holds that the model notices every mutant: it runs its test again,
// on the package as it would be.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			overlay := overlayWith(t, path, m.old, m.new)
			cmd := exec.Command("go", "test", "-overlay="+overlay, "-run=^TestModel$",
				"-short", "-failfast", "-count=1", "-vet=off", ".")
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("nobody notices; go test says\n%s", out)
			}
			if text := string(out); !strings.Contains(text, "--- FAIL: Test") || strings.Contains(text, "[build failed]") {
				t.Fatalf("go test did not get as far as a failing test: %v\n%s", err, out)
			}
		})
	}
}

// overlayWith writes a changed copy of a file and the description that has go
// test take it for the file.
func overlayWith(t *testing.T, path, old, changed string) (overlay string) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), old); n != 1 {
		t.Fatalf("%s holds %q %d times, want it once", path, old, n)
	}
	dir := t.TempDir()
	mutant := filepath.Join(dir, filepath.Base(path))
	overlay = filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		mutant:  []byte(strings.Replace(string(source), old, changed, 1)),
		overlay: replace,
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}
