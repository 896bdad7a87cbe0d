package hextictactoe

import (
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Explain implements [engine.Explainer].
func (g *Game) Explain(in *engine.Input, r *engine.Refusal) string {
	if in.Lapse != engine.Answered {
		return ""
	}
	list := listOf(in)
	switch {
	case r.Reason == forfeitUnreadable:
		return "the actions are no JSON array: " + jsonscan.Value(in.Actions).Short()
	case r.Action < 0 || list == nil:
		return ""
	}
	for index, v := range list.Elements() {
		switch {
		case index != r.Action:
		case r.Reason == forfeitMalformed:
			return moveFault(v)
		default:
			return v.Short()
		}
	}
	return ""
}

// moveFault returns what makes a move malformed.
func moveFault(v jsonscan.Value) string {
	if v.Kind() != jsonscan.Object {
		return "it is no object: " + v.Short()
	}
	pieces := v.Field("pieces")
	switch {
	case pieces == nil:
		return `"pieces" is missing in ` + v.Short()
	case pieces.Kind() != jsonscan.Array:
		return `"pieces": ` + pieces.Short() + " is no array of cells"
	}
	for i, cell := range pieces.Elements() {
		if fault := cellFault(cell); fault != "" {
			return fmt.Sprintf(`"pieces", element %d: %s`, i, fault)
		}
	}
	return ""
}

func cellFault(cell jsonscan.Value) string {
	if cell.Kind() != jsonscan.Object {
		return cell.Short() + ` is no object with "q" and "r"`
	}
	for _, name := range []string{"q", "r"} {
		n := cell.Field(name)
		if n == nil {
			return fmt.Sprintf("%q is missing in %s", name, cell.Short())
		}
		if _, ok := n.Int32(); !ok {
			return fmt.Sprintf("%q: %s is no whole number", name, n.Short())
		}
	}
	return ""
}
