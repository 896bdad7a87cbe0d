package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Cpp is the [Emitter] for C++17. An object is a struct, with a function read for one that bots
// receive and to_json for one that they send; a type with values is a string. One of several
// objects is a variant. It needs Json, Coord, read_members, and read and to_json for all other
// types.
func Cpp(types *Types) string {
	var blocks []string
	for _, d := range types.Definitions {
		switch {
		case d.Values != nil:
			blocks = append(blocks,
				fmt.Sprintf("using %s = std::string;  // %s: %s\n", d.Name, plain(d.About), quoted(d.Values)))
		case d.OneOf != nil:
			blocks = append(
				blocks,
				fmt.Sprintf("using %s = std::variant<%s>;  // %s\n", d.Name, strings.Join(d.OneOf, ", "),
					plain(d.About)),
			)
		default:
			blocks = append(blocks, cppStruct(types, d))
		}
	}
	return strings.Join(blocks, "")
}

func cppStruct(types *Types, d model.Definition) string {
	var b strings.Builder
	base := ""
	fields := types.withCoord(types.plainFields(d))
	if slices.ContainsFunc(fields, isCoord) {
		base = " : " + coord
	}
	fmt.Fprintf(&b, "struct %s%s {  // %s\n", d.Name, base, plain(d.About))
	for _, f := range fields {
		if isCoord(f) || f.Type.Kind == model.Constant {
			continue
		}
		fmt.Fprintf(&b, "    %s %s%s;", cppType(f), f.Name, cppZero(f))
		if f.About != "" {
			fmt.Fprintf(&b, "  // %s", plain(f.About))
		}
		b.WriteString("\n")
	}
	if types.choice(d.Name) == "" {
		b.WriteString(cppRead(types, d))
	}
	if types.sent(d.Name) {
		b.WriteString(cppToJSON(types, d))
	}
	b.WriteString("};\n")
	return b.String()
}

func cppRead(types *Types, d model.Definition) string {
	var members, others []string
	for _, f := range types.withCoord(types.plainFields(d)) {
		switch {
		case isCoord(f):
			members = append(members, `"q", v.q`, `"r", v.r`)
		case f.Default != nil:
			find := fmt.Sprintf("        if (auto given = json.find(%q)) ", f.Name)
			others = append(others, fmt.Sprintf("%sread(*given, v.%s);\n", find, f.Name))
		case f.Optional:
			others = append(others, fmt.Sprintf("        read(json.find(%q), v.%s);\n", f.Name, f.Name))
		case f.Type.Kind == model.Nullable:
			others = append(others, fmt.Sprintf("        read(&json.at(%q), v.%s);\n", f.Name, f.Name))
		default:
			members = append(members, fmt.Sprintf("%q, v.%s", f.Name, f.Name))
		}
	}
	body := strings.Join(others, "")
	if members != nil {
		body = wrapped("        read_members(json, ", members, ");") + body
	}
	return cppFriend(fmt.Sprintf("void read(const Json& json, %s& v)", d.Name), body)
}

// cppFriend returns a function that is found by its argument's type, on one line if it fits.
func cppFriend(head, body string) string {
	line := fmt.Sprintf("    friend %s { %s }\n", head, strings.TrimSpace(body))
	if strings.Count(body, "\n") == 1 && len(line) <= lineWidth {
		return line
	}
	return fmt.Sprintf("    friend %s {\n%s    }\n", head, body)
}

func cppToJSON(types *Types, d model.Definition) string {
	var members, optional []string
	for _, f := range types.withCoord(d.Fields) {
		value := "v." + f.Name
		if f.Optional {
			value = "*" + value
		}
		if f.Type.Kind != model.Base {
			value = "to_json(" + value + ")"
		}
		switch {
		case isCoord(f):
			members = append(members, `{"q", v.q}, {"r", v.r}`)
		case f.Type.Kind == model.Constant:
			members = append(members, fmt.Sprintf("{%q, %q}", f.Name, f.Type.Name))
		case f.Optional:
			optional = append(optional,
				fmt.Sprintf("        if (v.%s) members.emplace_back(%q, %s);\n", f.Name, f.Name, value))
		default:
			members = append(members, fmt.Sprintf("{%q, %s}", f.Name, value))
		}
	}
	body := wrapped("        return Json::Object{", members, "};")
	if optional != nil {
		body = wrapped("        Json::Object members{", members,
			"};") + strings.Join(optional, "") + "        return members;\n"
	}
	return cppFriend(fmt.Sprintf("Json to_json(const %s& v)", d.Name), body)
}

func cppType(f model.Field) string {
	if f.Optional {
		return "std::optional<" + cppTypeOf(f.Type) + ">"
	}
	return cppTypeOf(f.Type)
}

func cppTypeOf(t model.Type) string {
	switch t.Kind {
	case model.Array:
		return "std::vector<" + cppTypeOf(*t.Of) + ">"
	case model.Map:
		return "std::map<" + cppTypeOf(model.Type{Name: t.Name}) + ", " + cppTypeOf(*t.Of) + ">"
	case model.Nullable:
		return "std::optional<" + cppTypeOf(*t.Of) + ">"
	case model.Named:
		return t.Name
	}
	return map[string]string{
		"string": "std::string", "integer": "int", "number": "double", "boolean": "bool",
		"object": "Json", "any": "Json",
	}[t.Name]
}

// cppZero returns the initializer of a field whose type has no value of its own to begin with.
func cppZero(f model.Field) string {
	if f.Optional || f.Type.Kind != model.Base {
		return ""
	}
	if f.Default != nil {
		return fmt.Sprint(" = ", f.Default)
	}
	return map[string]string{"integer": " = 0", "number": " = 0", "boolean": " = false"}[f.Type.Name]
}
