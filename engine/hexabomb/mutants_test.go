//go:build thorough && !race

package hexabomb

import (
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest"
)

// mutants are wrong rules.
var mutants = []enginetest.Mutant{
	{
		"bombs can be walked over", "apply.go",
		"return c.living == none && c.bomb == none", "return c.living == none",
	},
	{
		"blocked actions are not tried again", "apply.go",
		"for moved && len(g.kept) > 0 {", "for moved && false {",
	},
	{
		"the last action of a character counts as well", "actions.go",
		"case g.seen[a.id] == g.entry:", "case false:",
	},
	{
		"bombs explode a turn too early", "apply.go",
		"due: g.turn + a.delay}", "due: g.turn + a.delay - 1}",
	},
	{
		"bombs do not set off others", "explode.go",
		"if c.bomb != none {", "if false {",
	},
	{
		"equally close bombs: the last one colours", "explode.go",
		"c.blastColor = 0", "c.blastColor = color",
	},
	{
		"the closest bomb does not colour", "explode.go",
		"case dist < c.blastDist:", "case false:",
	},
	{
		"the dead are not struck again", "explode.go",
		"if c.special || at.blastIn != g.turn {", "if c.special || !c.alive || at.blastIn != g.turn {",
	},
	{
		"special characters lose their cell", "explode.go",
		"c.living == none || !g.chars[c.living].special", "true",
	},
	{
		"the dead of sudden death go on scoring", "game.go",
		"case p >= g.specials && a.alive > 0:", "case p >= g.specials:",
	},
}

// TestMutants checks that the recorded games and the model detect every mutant.
func TestMutants(t *testing.T) { enginetest.CheckMutants(t, "^(TestVectors|TestModel)$", mutants) }
