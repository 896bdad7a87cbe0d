package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Rust is the [Emitter] for Rust. Objects are structs of the kit's macro records!, with a method at
// if they have a place. Of several objects, each is a variant of an enum that is displayed as JSON,
// so that Action::DropBomb { id, bomb_range: 3, bomb_delay: 3 } is an action. As rustfmt has it.
func Rust(types *Types) string {
	var b strings.Builder
	p := types.Protocol
	fmt.Fprintf(&b, "const METAPROTOCOL_VERSION: &str = %q;\n", p.Version)
	for _, limit := range []struct{ constant, name, about string }{
		{"FRAME_LIMIT", "content", "bytes of a message"},
		{"DEBUG_LIMIT", "debug", "bytes of a turn's debug"},
		{"DEPTH_LIMIT", "depth", "arrays and objects inside each other"},
	} {
		fmt.Fprintf(&b, "const %s: usize = %d; // %s\n", limit.constant, p.Limit(limit.name), limit.about)
	}
	var records, others []string
	for _, d := range types.Definitions {
		switch {
		case d.Values != nil:
			others = append(
				others,
				fmt.Sprintf("/// %s: %s.\npub type %s = String;\n", upper(plain(d.About)), quoted(d.Values),
					d.Name),
			)
		case d.OneOf != nil:
			others = append(others, rustEnum(types, d))
		case !slices.ContainsFunc(types.Definitions,
			func(other model.Definition) bool { return slices.Contains(other.OneOf, d.Name) }):
			d.Fields = types.plainFields(d)
			records = append(records, rustRecord(d))
		}
	}
	fmt.Fprintf(&b, "\nrecords! {\n%s}\n\n%s", strings.Join(records, "\n"), strings.Join(others, "\n"))
	return b.String()
}

func rustRecord(d model.Definition) string {
	name := d.Name
	has := func(field string) bool {
		return slices.ContainsFunc(d.Fields, func(f model.Field) bool { return f.Name == field })
	}
	if has("q") && has("r") {
		name += " at"
	}
	return fmt.Sprintf("    /// %s.\n    %s {\n%s    }\n", upper(plain(d.About)), name,
		rustFields(d.Fields))
}

// rustFields returns the fields of a struct, those without a comment that follow each other on one
// line.
func rustFields(fields []model.Field) string {
	var b strings.Builder
	between := "        "
	for i, f := range fields {
		value := ""
		switch {
		case f.Default != nil && f.Type.Kind == model.Base:
			value = fmt.Sprint(" = ", f.Default)
		case f.Default != nil:
			value = " = Default::default()"
		}
		fmt.Fprintf(&b, "%s%s: %s%s,", between, f.Name, rustType(f.Type, f.Optional), value)
		if f.About != "" {
			fmt.Fprintf(&b, " // %s", plain(f.About))
		}
		between = "\n        "
		if f.About == "" && i+1 < len(fields) && fields[i+1].About == "" {
			between = " "
		}
	}
	return b.String() + "\n"
}

// rustEnum returns an enum and how it is displayed. A type with values that the kit defines itself
// is a tuple struct that begins with the value.
func rustEnum(types *Types, d model.Definition) string {
	var variants, arms strings.Builder
	for _, name := range d.OneOf {
		variant := types.Lookup(name)
		var fields, names, members, arguments []string
		for _, f := range variant.Fields {
			if f.Type.Kind == model.Constant {
				members = append(members, fmt.Sprintf("%q:%q", f.Name, f.Type.Name))
				continue
			}
			fields, names = append(fields, f.Name+": "+rustType(f.Type, f.Optional)), append(names, f.Name)
			switch of := types.Lookup(f.Type.Name); {
			case f.Type.Kind == model.Named && of == nil:
				members = append(members, fmt.Sprintf(`%q:"{}"`, f.Name))
				arguments = append(arguments, ", "+f.Name+".0")
			case f.Type.Name == "string" || of != nil && of.Values != nil:
				members = append(members, fmt.Sprintf(`%q:{}`, f.Name))
				arguments = append(arguments, ", quote("+f.Name+")")
			default:
				members = append(members, fmt.Sprintf("%q:{%s}", f.Name, f.Name))
			}
		}
		fmt.Fprintf(&variants, "    /// %s%s.\n    %s,\n", upper(plain(variant.About)),
			notes(variant.Fields), braced(name, fields))
		pattern := braced(d.Name+"::"+name, names)
		write := fmt.Sprintf(`write!(f, r#"{{%s}}"#%s)`, strings.Join(members, ","),
			strings.Join(arguments, ""))
		if arm := fmt.Sprintf("            %s => %s,\n", pattern, write); len(arm) <= rustWidth+1 {
			arms.WriteString(arm)
		} else {
			fmt.Fprintf(&arms, "            %s => {\n                %s\n            }\n", pattern, write)
		}
	}
	return fmt.Sprintf(`/// %s.
#[derive(Clone, Debug)]
pub enum %s {
%s}

impl Display for %[2]s {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
%[4]s        }
    }
}
`, upper(plain(d.About)), d.Name, variants.String(), arms.String())
}

// rustWidth is the longest line of code, as rustfmt.toml of the kit has it.
const rustWidth = 120

// notes returns what is said about fields, those of which the same is said together.
func notes(fields []model.Field) string {
	var b strings.Builder
	for i, f := range fields {
		if f.About == "" {
			continue
		}
		b.WriteString(
			map[bool]string{true: ", ", false: ". "}[i > 0 && fields[i-1].About == f.About] + f.Name)
		if i+1 == len(fields) || fields[i+1].About != f.About {
			b.WriteString(": " + plain(f.About))
		}
	}
	return b.String()
}

func braced(name string, fields []string) string {
	if len(fields) == 0 {
		return name
	}
	return name + " { " + strings.Join(fields, ", ") + " }"
}

func rustType(t model.Type, optional bool) string {
	switch {
	case optional:
		return "Option<" + rustType(t, false) + ">"
	case t.Kind == model.Array:
		return "Vec<" + rustType(*t.Of, false) + ">"
	case t.Kind == model.Map:
		return "BTreeMap<" + rustType(model.Type{Name: t.Name},
			false) + ", " + rustType(*t.Of, false) + ">"
	case t.Kind == model.Nullable:
		return "Option<" + rustType(*t.Of, false) + ">"
	case t.Kind == model.Named:
		return t.Name
	}
	return map[string]string{
		"string": "String", "integer": "i64", "number": "f64", "boolean": "bool",
		"object": "Json", "any": "Json",
	}[t.Name]
}
