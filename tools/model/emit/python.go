package emit

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Python is the [Emitter] for Python 3.8 or newer. Objects are dicts with types. It needs Any,
// Dict, List, Literal, Optional, TypedDict and Union of typing.
func Python(types *Types) string {
	var blocks []string
	for _, d := range types.Definitions {
		switch {
		case d.Values != nil:
			blocks = append(blocks,
				fmt.Sprintf("%s = Literal[%s]  # %s\n", d.Name, quoted(d.Values), plain(d.About)))
		case d.OneOf != nil:
			blocks = append(blocks,
				fmt.Sprintf("%s = Union[%s]  # %s\n", d.Name, strings.Join(d.OneOf, ", "), plain(d.About)))
		default:
			blocks = append(blocks, pythonClasses(d)...)
		}
	}
	return strings.Join(blocks, "\n\n")
}

// pythonClasses returns the class of an object. Before Python 3.11 a class has either required
// or optional keys, so that an object with both has two.
func pythonClasses(d model.Definition) []string {
	var always, optional []model.Field
	for _, f := range d.Fields {
		if f.Optional {
			optional = append(optional, f)
		} else {
			always = append(always, f)
		}
	}
	switch {
	case optional == nil:
		return []string{pythonClass(d.Name+"(TypedDict)", d.About, d.Fields)}
	case always == nil:
		return []string{pythonClass(d.Name+"(TypedDict, total=False)", d.About, d.Fields)}
	}
	required := "_" + d.Name
	return []string{
		pythonClass(required+"(TypedDict)", "the keys that "+d.Name+" always has", always),
		pythonClass(d.Name+"("+required+", total=False)", d.About, optional),
	}
}

func pythonClass(head, about string, fields []model.Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "class %s:\n    \"\"\"%s.\"\"\"\n\n", head, upper(plain(about)))
	for _, f := range fields {
		fmt.Fprintf(&b, "    %s: %s", f.Name, pythonType(f.Type))
		if f.About != "" {
			fmt.Fprintf(&b, "  # %s", plain(f.About))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func pythonType(t model.Type) string {
	switch t.Kind {
	case model.Array:
		return "List[" + pythonType(*t.Of) + "]"
	case model.Map:
		return "Dict[str, " + pythonType(*t.Of) + "]" // JSON's keys are strings
	case model.Nullable:
		return "Optional[" + pythonType(*t.Of) + "]"
	case model.Named:
		return t.Name
	case model.Constant:
		return fmt.Sprintf("Literal[%q]", t.Name)
	}
	return map[string]string{
		"string": "str", "integer": "int", "number": "float", "boolean": "bool",
		"object": "Dict[str, Any]", "any": "Any",
	}[t.Name]
}
