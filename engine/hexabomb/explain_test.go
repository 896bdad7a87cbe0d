package hexabomb

import (
	"testing"

	"github.com/hexarena/hexarena/engine"
)

func TestExplain(t *testing.T) {
	const verbs = `; it is one of "move", "bomb" or "revive"`
	const dirs = `; it is one of "x+", "y+", "z+", "x-", "y-" or "z-"`
	for _, c := range []struct{ actions, reason, want string }{
		{
			`[{"id": 1, "movement": "up"}]`, "malformed",
			`"movement": unknown value "up"` + verbs,
		},
		{
			`[{"id": 1, "mvoe": "x+"}]`, "malformed",
			`"movement" is missing in {"id": 1, "mvoe": "x+"}` + verbs,
		},
		{
			`[{"movement": "revive"}]`, "malformed",
			`"id" is missing in {"movement": "revive"}`,
		},
		{
			`[{"id": "1", "movement": "revive"}]`, "malformed",
			`"id": "1" is no whole number`,
		},
		{
			`[{"id": 1, "movement": "move", "direction": "north"}]`, "malformed",
			`"direction": unknown value "north"` + dirs,
		},
		{
			`[{"id": 1, "movement": "move"}]`, "malformed",
			`"direction" is missing in {"id": 1, "movement": "move"}` + dirs,
		},
		{
			`[{"id": 1, "movement": "bomb", "bomb_range": 2.5, "bomb_delay": 2}]`, "malformed",
			`"bomb_range": 2.5 is no whole number`,
		},
		{
			`[7]`, "malformed",
			`it is no object: 7`,
		},
		{
			`[{"id": 9, "movement": "revive"}]`, "unknown character",
			`{"id": 9, "movement": "revive"}`,
		},
		{
			`[{"id": 0, "movement": "bomb", "bomb_range": 9, "bomb_delay": 2}]`,
			"range or delay out of range",
			`{"id": 0, "movement": "bomb", "bomb_range": 9, "bomb_delay": 2}`,
		},
		{
			`{"id": 1}`, "unreadable",
			`the actions are no array: {"id": 1}`,
		},
		{
			`[{"id": 1`, "unreadable",
			`the actions are no JSON: [{"id": 1`,
		},
	} {
		g := start(t, row(9, 0, 8), 2, 0)
		in := engine.Input{Actions: []byte(c.actions)}
		g.Step(nil)
		refused := g.Step([]engine.Input{in}).Refused
		if len(refused) != 1 || refused[0].Reason != c.reason {
			t.Errorf("%s is refused with %+v", c.actions, refused)
			continue
		}
		if got := g.Explain(&in, &refused[0]); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.actions, got, c.want)
		}
	}
}
