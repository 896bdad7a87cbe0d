package hexabomb

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Explain implements [engine.Explainer].
func (g *Game) Explain(in *engine.Input, r *engine.Refusal) string {
	list, err := jsonscan.Parse(in.Actions)
	switch {
	case r.Reason == Blocked || r.Reason == reasons[unknownPlayer]:
		return ""
	case err != nil:
		return "the actions are no JSON: " + jsonscan.Value(in.Actions).Short()
	case r.Action == wholeInput:
		return "the actions are no array: " + list.Short()
	}
	for index, v := range list.Elements() {
		switch {
		case index != r.Action:
		case r.Reason == reasons[malformed]:
			return g.fault(v)
		default:
			return v.Short()
		}
	}
	return ""
}

// keys holds the name of each field of an action.
var keys = [...]struct {
	field fields
	name  string
}{
	{hasID, "id"},
	{hasDir, "direction"},
	{hasReach, "bomb_range"},
	{hasDelay, "bomb_delay"},
	{hasQ, "revive_q"},
	{hasR, "revive_r"},
}

// fault returns what makes an action malformed.
func (e *edition) fault(v jsonscan.Value) string {
	if v.Kind() != jsonscan.Object {
		return "it is no object: " + v.Short()
	}
	o := readOrder(v)
	if o.verb == noVerb {
		return choiceFault(v, "movement", "move", "bomb", "revive")
	}
	for _, key := range keys {
		switch {
		case e.required[o.verb]&^o.has&key.field == 0:
		case key.field == hasDir:
			return choiceFault(v, key.name, directions()...)
		case v.Field(key.name) == nil:
			return missing(v, key.name)
		case key.field == hasQ || key.field == hasR:
			return fmt.Sprintf("%q: %s is no whole number, written in digits",
				key.name, v.Field(key.name).Short())
		default:
			return fmt.Sprintf("%q: %s is no whole number", key.name, v.Field(key.name).Short())
		}
	}
	return ""
}

func directions() (names []string) {
	for _, d := range hexgrid.Dirs {
		names = append(names, d.String())
	}
	return names
}

// choiceFault returns what is wrong with a field that has one of some values.
func choiceFault(action jsonscan.Value, name string, values ...string) string {
	last := len(values) - 1
	choice := fmt.Sprintf(`; it is one of "%s" or "%s"`,
		strings.Join(values[:last], `", "`), values[last])
	if v := action.Field(name); v != nil {
		return fmt.Sprintf("%q: unknown value %s%s", name, v.Short(), choice)
	}
	return missing(action, name) + choice
}

func missing(action jsonscan.Value, name string) string {
	return fmt.Sprintf("%q is missing in %s", name, action.Short())
}
