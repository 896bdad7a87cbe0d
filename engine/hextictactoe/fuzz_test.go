package hextictactoe

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// FuzzStep plays any bytes as a game, one answer a line, and compares it with the model.
func FuzzStep(f *testing.F) {
	for _, seed := range []string{
		``, `[]`, `null`, `[null]`, `[{}]`, `[{"pieces":{}}]`, `[{"pieces":[[1,0],[2,0]]}]`,
		`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]` + "\n" + `[{"pieces":[{"q":1.0,"r":1},{"q":2e0,"r":-1}]}]`,
		`[{"pieces":[{"q":1,"q":2,"r":0},{"q":3,"r":0}]}]`,
		`[{"pieces":[{"q":4294967296,"r":0},{"q":2,"r":0}]}]`,
		`[{"pieces":[{"q":-0,"r":0},{"q":2,"r":0}]}]`, `[{"pieces":[]}, {"pieces":[]}]`,
		`[{"pieces":[{"q":1,"r":0}]}]`, `[{"pieces":[{"q":null,"r":"0"},{}]}]`,
		`[{"pieces":[{"q":8,"r":0},{"q":16,"r":0}],"evaluation":{"heuristic":0.5}}]`,
	} {
		f.Add([]byte(seed))
	}
	o := Defaults()
	o.WinDistance = 3
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		d := newDuel(t, o, 20)
		for _, line := range strings.Split(string(text), "\n") {
			if oddJSON(line) {
				return
			}
			d.step(engine.Input{Actions: []byte(line)})
		}
	})
}

// oddJSON reports whether encoding/json, which the model uses, reads a line differently:
// deep nesting, and numbers too large for a float64.
func oddJSON(line string) bool {
	_, err := jsonscan.Parse([]byte(line))
	return errors.Is(err, jsonscan.ErrDepth) || errors.Is(err, jsonscan.ErrNumber)
}

// FuzzOptions checks that options that parse lead to an error or to a game, and survive
// being written and parsed again.
func FuzzOptions(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, `{"view_distance":1,"win_distance":2,"turn_limit":3}`,
		`{"clock":{"type":"incremental","base_ms":1000,"increment_ms":5}}`,
		`{"setup":{"to_move":"o","cells":[{"q":536870912,"r":-536870912,"p":"x"},{"q":-2147483648,"r":0,"p":"o"}]}}`,
		`{"setup":null,"clock":null}`,
		`{"setup":{"to_move":"x","cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":0,"p":"x"}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := ParseOptions(text)
		if err != nil {
			return
		}
		g := New(o)
		if _, err := g.Start(engine.Setup{Players: 2, Turns: 10}); err != nil {
			return
		}
		if !json.Valid(g.AppendState(nil)) || !json.Valid(g.AppendDelta(nil)) {
			t.Errorf("the state of %s is %s", text, g.AppendState(nil))
		}
		again, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseOptions(again); err != nil {
			t.Errorf("ParseOptions(%s) = %v", again, err)
		}
	})
}
