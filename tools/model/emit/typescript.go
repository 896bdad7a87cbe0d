package emit

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// TypeScript is the [Emitter] for declaration files of TypeScript.
func TypeScript(types *Types) string {
	blocks := make([]string, len(types.Definitions))
	for i, d := range types.Definitions {
		head := fmt.Sprintf("/** %s. */\nexport ", upper(plain(d.About)))
		switch {
		case d.Values != nil:
			blocks[i] = fmt.Sprintf("%stype %s = %s;\n", head, d.Name,
				`"`+strings.Join(d.Values, `" | "`)+`"`)
		case d.OneOf != nil:
			blocks[i] = fmt.Sprintf("%stype %s = %s;\n", head, d.Name, strings.Join(d.OneOf, " | "))
		default:
			blocks[i] = head + typeScriptInterface(d)
		}
	}
	return strings.Join(blocks, "\n")
}

func typeScriptInterface(d model.Definition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "interface %s {\n", d.Name)
	for _, f := range d.Fields {
		if f.About != "" {
			fmt.Fprintf(&b, "  /** %s. */\n", upper(plain(f.About)))
		}
		optional := ""
		if f.Optional {
			optional = "?"
		}
		fmt.Fprintf(&b, "  %s%s: %s;\n", f.Name, optional, typeScriptType(f.Type))
	}
	b.WriteString("}\n")
	return b.String()
}

func typeScriptType(t model.Type) string {
	switch t.Kind {
	case model.Array:
		of := typeScriptType(*t.Of)
		if t.Of.Kind == model.Nullable {
			of = "(" + of + ")"
		}
		return of + "[]"
	case model.Map:
		return "Record<string, " + typeScriptType(*t.Of) + ">" // JSON's keys are strings
	case model.Nullable:
		return typeScriptType(*t.Of) + " | null"
	case model.Named:
		return t.Name
	case model.Constant:
		return fmt.Sprintf("%q", t.Name)
	}
	return map[string]string{
		"string": "string", "integer": "number", "number": "number", "boolean": "boolean",
		"object": "Record<string, unknown>", "any": "unknown",
	}[t.Name]
}
