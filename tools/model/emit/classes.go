package emit

import (
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// coord is the type with the fields q and r, which the kits of languages with classes define by
// hand: it has methods. Objects with these fields have one of it in their place.
const coord = "Coord"

// withCoord returns the fields of an object with q and r, if it has both, replaced by one of type
// Coord, which has no name.
func (t *Types) withCoord(fields []model.Field) []model.Field {
	q := slices.IndexFunc(fields, func(f model.Field) bool { return f.Name == "q" })
	if t.Lookup(coord) != nil || q < 0 || q+1 == len(fields) || fields[q+1].Name != "r" {
		return fields
	}
	return slices.Replace(slices.Clone(fields), q, q+2,
		model.Field{Type: model.Type{Kind: model.Named, Name: coord}})
}

// isCoord reports whether a field is in the place of q and r.
func isCoord(f model.Field) bool { return f.Name == "" }

// choice returns the name of the type that is one of several, such as Action, "" for others.
func (t *Types) choice(name string) string {
	for _, d := range t.Definitions {
		if slices.Contains(d.OneOf, name) {
			return d.Name
		}
	}
	return ""
}

// sent reports whether bots send objects of a type: it is an action, or part of one.
func (t *Types) sent(name string) bool {
	if t.choice(name) != "" {
		return true
	}
	for _, d := range t.Definitions {
		for _, f := range d.Fields {
			of := &f.Type
			for of.Of != nil {
				of = of.Of
			}
			if of.Kind == model.Named && of.Name == name && t.sent(d.Name) {
				return true
			}
		}
	}
	return false
}

// camel returns the name of a field in Java, such as bombCount for bomb_count.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i := range parts[1:] {
		parts[i+1] = upper(parts[i+1])
	}
	return strings.Join(parts, "")
}

// lineWidth is the longest line of the kits that have classes.
const lineWidth = 120

// wrap joins words to lines of at most lineWidth bytes; all but the first get indent.
func wrap(words []string, indent string) string {
	var b strings.Builder
	length := 0
	for i, word := range words {
		switch {
		case i == 0:
		case length+1+len(word) > lineWidth:
			b.WriteString("\n" + indent)
			length = len(indent)
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}

// wrapped returns lines with a list between begin and end, broken between its items.
func wrapped(begin string, items []string, end string) string {
	indent := strings.Repeat(" ", len(begin)-len(strings.TrimLeft(begin, " "))+8)
	return wrap(strings.Split(begin+strings.Join(items, ",\n")+end, "\n"), indent) + "\n"
}
