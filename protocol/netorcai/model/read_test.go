package model

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Mistakes in a model are reported with their place.
func TestMistakesInModels(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"x","colour":1}`:                                                                    `unknown field "colour"`,
		`{"types":[{"name":"A","fields":[{"name":"b","type":"B"}]}]}`:                                "A.b: type B is not defined before it",
		`{"types":[{"name":"A","fields":[{"name":"b","type":{"array":{"map":"B"}}}]}]}`:              "A.b: type B is not defined before it",
		`{"types":[{"name":"A","values":["x"]},{"name":"A","values":["x"]}]}`:                        "type A is defined twice",
		`{"types":[{"name":"A"}]}`:                                                                   "type A needs one of",
		`{"types":[{"name":"A","values":["x"],"one_of":["A"]}]}`:                                     "type A needs one of",
		`{"types":[{"name":"A","one_of":["B"]}]}`:                                                    "type A: type B is not defined",
		`{"types":[{"name":"A","fields":[{"name":"b","type":{"list":"any"}}]}]}`:                     "neither a name nor an array",
		`{"messages":[{"name":"M","fields":[{"name":"a","type":"any"},{"name":"a","type":"any"}]}]}`: `field "a" has no name of its own`,
		`{"state":"S"}`: "type S is not defined",
		`{"states":[{"name":"S","sends":[{"message":"M","next":"S"}]}]}`:                                           "message M is not defined",
		`{"messages":[{"name":"M","from":"server"}],"states":[{"name":"S","sends":[{"message":"M","next":"S"}]}]}`: "message M goes from server",
		`{"messages":[{"name":"M","from":"server"}],"states":[{"name":"S","gets":[{"message":"M","next":"T"}]}]}`:  "leads to T",
	} {
		_, err := Read(fstest.MapFS{"m.json": {Data: []byte(text)}}, "m.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%s) = %v, want %q", text, err, want)
		}
	}
}
