package hexabomb

import (
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// TestPreparedActions checks that prepared arrays are judged like all others, also if
// more actions are refused than are reported.
func TestPreparedActions(t *testing.T) {
	const mine, theirs = `{"id":0,"movement":"revive"}`, `{"id":1,"movement":"revive"}`
	junk := strings.Repeat("{},", maxSurplus)
	for _, text := range []string{
		"null", "{}", "[]", "[" + mine + "]",
		"[" + junk + mine + "]",
		"[" + junk + junk + theirs + "," + mine + "," + mine + "]",
		"[" + strings.Repeat(theirs+",{},", maxSurplus) + mine + "," + theirs + "]",
		"[" + theirs + "," + strings.Repeat("7,", 2*maxSurplus) + strings.Repeat(theirs+",",
			maxSurplus) + mine + "]",
	} {
		var results [2][]engine.Refusal
		for i := range results {
			g := start(t, row(4, 0, 2), 2, 0)
			in := engine.Input{Player: 0, Actions: []byte(text), Valid: true}
			if i == 1 {
				in.Prepared = g.Prepare(in.Actions)
			}
			results[i] = slices.Clone(g.Step([]engine.Input{in}).Refused)
		}
		if !slices.Equal(results[0], results[1]) {
			t.Errorf("%.80s: refused %v when it was prepared, want %v", text, results[1], results[0])
		}
	}
}

// TestPreparedRubbishIsSmall checks that rubbish does not add work to the turn.
func TestPreparedRubbishIsSmall(t *testing.T) {
	g := start(t, row(4, 0, 2), 2, 0)
	p := g.Prepare([]byte("[" + strings.Repeat("{},", 100_000) + "{}]")).(*prepared)
	if n := len(p.list); n != maxSurplus {
		t.Errorf("%d actions are left, want %d", n, maxSurplus)
	}
}
