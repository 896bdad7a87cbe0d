package emit

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Go is the [Emitter] for Go. An object is a struct, a type with values is a string. Of several
// objects, each implements an interface and adds its constant fields when it is encoded, so that
// DropBomb{ID: 3, BombRange: 3, BombDelay: 2} is an action.
func Go(types *Types) string {
	var b strings.Builder
	p := types.Protocol
	fmt.Fprintf(&b, "const (\nmetaprotocolVersion = %q\nframeLimit = %d // bytes of a "+
		"message\ndebugLimit = %d // bytes of a turn's debug\n)\n", p.Version, p.Limit("content"),
		p.Limit("debug"))
	for _, d := range types.Definitions {
		fmt.Fprintf(&b, "\n// %s is %s", d.Name, plain(d.About))
		switch {
		case d.Values != nil:
			fmt.Fprintf(&b, ": %s.\ntype %s string\n", quoted(d.Values), d.Name)
		case d.OneOf != nil:
			fmt.Fprintf(&b, ": %s.\ntype %s interface{ %s() }\n\n", oneOf(d.OneOf), d.Name, lower(d.Name))
			for _, name := range d.OneOf {
				fmt.Fprintf(&b, "func (%s) %s() {}\n", name, lower(d.Name))
			}
		default:
			goStruct(&b, d, types.plainFields(d))
		}
	}
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(fmt.Sprintf("the types in Go: %v\n%s", err, b.String()))
	}
	return string(source)
}

func goStruct(b *strings.Builder, d model.Definition, list []model.Field) {
	fmt.Fprintf(b, ".\ntype %s struct {\n", d.Name)
	var constants []model.Field
	var defaults []string
	for _, f := range list {
		if f.Default != nil && f.Type.Kind == model.Base {
			defaults = append(defaults, fmt.Sprintf("%s: %v", goName(f.Name), f.Default))
		}
		if f.Type.Kind == model.Constant {
			constants = append(constants, f)
			continue
		}
		tag := f.Name
		if f.Optional {
			tag += ",omitempty"
		}
		fmt.Fprintf(b, "%s %s `json:\"%s\"`", goName(f.Name), goType(f.Type), tag)
		if f.About != "" {
			fmt.Fprintf(b, " // %s", plain(f.About))
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	if defaults != nil {
		fmt.Fprintf(b, "\n// UnmarshalJSON implements json.Unmarshaler.\nfunc (v *%s) "+
			"UnmarshalJSON(data "+
			"[]byte) error {\n", d.Name)
		fmt.Fprintf(b, "type fields %s\n*v = %s{%s}\n", d.Name, d.Name, strings.Join(defaults, ", "))
		b.WriteString("return json.Unmarshal(data, (*fields)(v))\n}\n")
	}
	if len(constants) == 0 {
		return
	}
	fmt.Fprintf(b, "\n// MarshalJSON implements json.Marshaler.\nfunc (a %s) MarshalJSON() ([]byte, "+
		"error) {\ntype fields %s\n", d.Name, d.Name)
	b.WriteString("return json.Marshal(struct {\nfields\n")
	for _, f := range constants {
		fmt.Fprintf(b, "%s string `json:\"%s\"`\n", goName(f.Name), f.Name)
	}
	b.WriteString("}{fields(a)")
	for _, f := range constants {
		fmt.Fprintf(b, ", %q", f.Type.Name)
	}
	b.WriteString("})\n}\n")
}

func goType(t model.Type) string {
	switch t.Kind {
	case model.Array:
		return "[]" + goType(*t.Of)
	case model.Map:
		return "map[" + goType(model.Type{Name: t.Name}) + "]" + goType(*t.Of)
	case model.Nullable:
		return "*" + goType(*t.Of)
	case model.Named:
		return t.Name
	}
	return map[string]string{
		"string": "string", "integer": "int", "number": "float64", "boolean": "bool",
		"object": "map[string]any", "any": "any",
	}[t.Name]
}

// goName returns the name of a field in Go, such as BombCount for bomb_count.
func goName(name string) string {
	parts := strings.Split(name, "_")
	for i, part := range parts {
		if slices.Contains([]string{"id", "ms"}, part) {
			parts[i] = strings.ToUpper(part)
		} else {
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}
