package recording

import (
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// talker is a game that knows an action.
type talker struct{ engine.Game }

func (talker) Describe(action []byte) string {
	if string(action) == `"up"` {
		return "goes up"
	}
	return ""
}

// Answers are told as sentences, and what a game does not know as its fields.
func TestActs(t *testing.T) {
	p := &Replay{game: talker{}}
	for actions, want := range map[string]string{
		`["up", {"cell":3,"color":"red"}]`: "goes up|cell 3, color red",
		`[{"cells":[1]},{},7]`:             `{"cells":[1]}|{}|7`,
		`[]`:                               "no action",
		`{"a":1}`:                          `{"a":1}`,
		`[{"`:                              `[{"`,
	} {
		if got := strings.Join(p.Describe([]byte(actions)), "|"); got != want {
			t.Errorf("Describe(%s) = %q, want %q", actions, got, want)
		}
	}
	turn := &Turn{
		Inputs: []Input{{}, {Input: engine.Input{Actions: []byte(`["up","up"]`)}}},
		Refused: []engine.Refusal{
			{Input: 0, Action: 0, Reason: "other"}, {Input: 1, Action: 1, Reason: "blocked"},
		},
	}
	if got, want := p.Acts(turn, 1), []string{"goes up", "goes up (refused: blocked)"}; !slices.Equal(
		got, want) {
		t.Errorf("Acts = %q, want %q", got, want)
	}
	turn.Refused = []engine.Refusal{{Input: 1, Action: -1, Reason: "no JSON"}}
	if got := p.Acts(turn, 1); got[0] != "the answer is refused: no JSON" || len(got) != 3 {
		t.Errorf("Acts = %q", got)
	}
}
