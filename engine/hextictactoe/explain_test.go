package hextictactoe

import (
	"testing"

	"github.com/hexarena/hexarena/engine"
)

func TestExplain(t *testing.T) {
	for _, c := range [][2]string{
		{
			`[{"pieces": [{"q": 1, "r": "0"}, {"q": 2, "r": 0}]}]`,
			`"pieces", element 0: "r": "0" is no whole number`,
		},
		{
			`[{"pieces": [{"q": 1, "r": 0}, {"q": 2}]}]`,
			`"pieces", element 1: "r" is missing in {"q": 2}`,
		},
		{
			`[{"pieces": [[1, 0], [2, 0]]}]`,
			`"pieces", element 0: [1, 0] is no object with "q" and "r"`,
		},
		{
			`[{"pieces": 5}]`,
			`"pieces": 5 is no array of cells`,
		},
		{
			`[{"cells": []}]`,
			`"pieces" is missing in {"cells": []}`,
		},
		{
			`[null]`,
			`it is no object: null`,
		},
		{
			`[{"pieces": []}]`,
			`{"pieces": []}`,
		},
		{
			`{"pieces": []}`,
			`the actions are no JSON array: {"pieces": []}`,
		},
		{
			`[]`,
			``,
		},
	} {
		actions, want := c[0], c[1]
		g := start(t, Defaults(), 10)
		in := engine.Input{Player: O.Player(), Actions: []byte(actions)}
		refused := g.Step([]engine.Input{in}).Refused
		if len(refused) != 1 {
			t.Errorf("%s is refused with %+v", actions, refused)
			continue
		}
		if got := g.Explain(&in, &refused[0]); got != want {
			t.Errorf("%s: %s\nwant %s", actions, got, want)
		}
	}
}
