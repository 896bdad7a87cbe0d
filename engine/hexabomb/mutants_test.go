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
		"a bomb too far away kills", "bombers.go",
		"b.cell == at && b.reach >= c.blastDist", "b.cell == at",
	},
	{
		"of equally close bombs, one kills", "bombers.go",
		"for d := range g.board.next[cell] {", "for d := range g.board.next[cell][:1] {",
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
	{
		"draft: bombs are counted", "edition.go",
		"revivesAnywhere: true, readsBounds: true",
		"revivesAnywhere: true, countsBombs: true, readsBounds: true",
	},
	{
		"draft: a bomb out of range is the character's action", "edition.go",
		"readsBounds: true, keepsCount", "keepsCount",
	},
	{
		"draft: a player without cells has cell_count 0", "edition.go",
		"readsBounds: true, keepsCount: true", "readsBounds: true",
	},
	{
		"draft: a player without cells scores its last count", "game.go",
		"a.score += int64(n)", "a.score += int64(g.cellCount(p))",
	},
	{
		"draft: characters are revived where they died", "apply.go",
		"	if g.revivesAnywhere {", "	if false {",
	},
	{
		"draft: characters are revived beyond the board", "apply.go",
		"case to == none:\n\t\treturn noSuchCell\n\tcase !g.free(to):",
		"case to == none:\n\t\tto = c.cell\n\tcase !g.free(to):",
	},
	{
		"draft: characters are revived on others and on bombs", "apply.go",
		"case !g.free(to):\n\t\treturn blocked\n\t}\n\tc.cell = to",
		"case !g.revivesAnywhere && !g.free(to):\n\t\treturn blocked\n\t}\n\tc.cell = to",
	},
	{
		"draft: one coordinate is enough for a revival", "edition.go",
		"revive: hasID | hasQ | hasR", "revive: hasID | hasQ",
	},
	{
		"draft: 0.0 is a coordinate", "actions.go",
		`if bytes.ContainsAny(v, ".eE") {`, `if bytes.ContainsAny(v, "-.eE") && false {`,
	},
	{
		"draft: explosions are shown", "edition.go",
		"keepsCount: true,\n\t}\n)", "keepsCount: true, showsExplosions: true,\n\t}\n)",
	},
}

// TestMutants checks that the recorded games and the model detect every mutant.
func TestMutants(t *testing.T) {
	enginetest.CheckMutants(t, "^(TestVectors|TestModel|TestDraftModel|TestBombers)$", mutants)
}
