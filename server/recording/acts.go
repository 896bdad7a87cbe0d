package recording

import (
	"cmp"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Acts returns the actions of the i-th answer of a turn, each as a text of [Replay.Describe] with
// the reason if it was refused.
func (p *Replay) Acts(t *Turn, i int) []string {
	acts := p.Describe(t.Inputs[i].Actions)
	whole := ""
	for _, r := range t.Refused {
		switch {
		case r.Input != i:
		case r.Action < 0:
			whole = r.Reason
		case r.Action < len(acts):
			acts[r.Action] += " (refused: " + r.Reason + ")"
		}
	}
	if whole != "" {
		return append([]string{"the answer is refused: " + whole}, acts...)
	}
	return acts
}

// Describe returns a text for each action of an answer: a sentence as the game has it, or else its
// fields. An answer that is no array is one text; one without actions is "no action".
func (p *Replay) Describe(actions []byte) (acts []string) {
	list, err := jsonscan.Parse(actions)
	if err != nil || list.Kind() != jsonscan.Array {
		return []string{jsonscan.Value(actions).Short()}
	}
	game, described := p.game.(engine.Describer)
	for _, action := range list.Elements() {
		text := ""
		if described {
			text = game.Describe(action)
		}
		acts = append(acts, cmp.Or(text, plain(action)))
	}
	if acts == nil {
		return []string{"no action"}
	}
	return acts
}

// plain returns the fields of an action with their values, as "cell 3, color red". An action that
// is no object, has objects or arrays in it, or is long remains JSON.
func plain(action jsonscan.Value) string {
	var fields []string
	for name, v := range action.Fields() {
		if kind := v.Kind(); kind == jsonscan.Object || kind == jsonscan.Array {
			return action.Short()
		}
		fields = append(fields, name.Text()+" "+strings.Trim(string(v), `"`))
	}
	text := strings.Join(fields, ", ")
	if action.Kind() != jsonscan.Object || text == "" || len(text) > len(action.Short()) {
		return action.Short()
	}
	return text
}
