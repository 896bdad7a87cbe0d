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

// The model notices every mutant.
func TestMutants(t *testing.T) { enginetest.Notice(t, "^TestModel$", mutants) }
