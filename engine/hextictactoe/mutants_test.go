//go:build thorough && !race

package hextictactoe

import (
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest"
)

// mutants are wrong rules.
var mutants = []enginetest.Mutant{
	{
		"the first piece does not win", "game.go",
		"case len(g.row) > 0:\n\t\tm.Placed = 1", "case false:\n\t\tm.Placed = 1",
	},
	{
		"one piece is enough", "game.go",
		"case m.Placed == 1:", "case false:",
	},
	{
		"the second piece cannot rely on the first", "game.go",
		"hexgrid.Distance(first.Coord, second.Coord) <= g.options.ViewDistance",
		"hexgrid.Distance(first.Coord, second.Coord) < 0",
	},
	{
		"the view is one cell shorter", "game.go",
		"g.board.Near(c, g.options.ViewDistance)", "g.board.Near(c, g.options.ViewDistance-1)",
	},
	{
		"the view is one cell longer", "game.go",
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
		"the view has one row fewer", "board.go",
		"d <= distance; d++", "d < distance; d++",
	},
	{
		"a word of cells is cut short", "board.go",
		"asked &= ^uint64(0) >> (spanCells - 1 - to&(spanCells-1))",
		"asked &= ^uint64(0) >> (spanCells - to&(spanCells-1))",
	},
	{
		"a win needs one piece more", "board.go",
		"if length < n {", "if length <= n {",
	},
	{
		"rows of one axis are not found", "board.go",
		"{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}",
		"{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.ZMinus}",
	},
	{
		"clocks never run out", "clock.go",
		"case micros > *left:", "case false:",
	},
	{
		"an increment is not given", "clock.go",
		"1000*c.Increment - micros", "-micros",
	},
	{
		"the turn limit is one move too late", "game.go",
		"g.moves >= g.limit", "g.moves > g.limit",
	},
	{
		"the side that forfeits wins", "game.go",
		"g.end(g.toMove.Other(), forfeit)", "g.end(g.toMove, forfeit)",
	},
}

// TestMutants checks that the model detects every mutant.
func TestMutants(t *testing.T) { enginetest.CheckMutants(t, "^TestModel$", mutants) }
