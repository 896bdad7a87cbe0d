package emit

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Java is the [Emitter] for Java 17. An object is a record, which has a method of for those that
// bots receive and toJson for those that they send; a type with values is a String. One of several
// objects is a sealed interface. It needs Json, ToJson and Coord.
func Java(types *Types) string {
	var blocks []string
	for _, d := range types.Definitions {
		switch {
		case d.Values != nil: // Java has no names for types
		case d.OneOf != nil:
			blocks = append(
				blocks,
				fmt.Sprintf("    /** %s. */\n    sealed interface %s extends ToJson permits %s {}\n",
					upper(plain(d.About)), d.Name, strings.Join(d.OneOf, ", ")),
			)
		default:
			blocks = append(blocks, javaRecord(types, d))
		}
	}
	return strings.Join(blocks, "\n")
}

func javaRecord(types *Types, d model.Definition) string {
	var components, arguments, abouts []string
	for _, f := range types.withCoord(types.plainFields(d)) {
		if f.Type.Kind == model.Constant {
			continue
		}
		components = append(components, types.javaType(f, true)+" "+javaName(f))
		arguments = append(arguments, types.javaRead(f))
		if f.About != "" {
			abouts = append(abouts, fmt.Sprintf("{@code %s}: %s", javaName(f), plain(f.About)))
		}
	}
	implements := ""
	if choice := types.choice(d.Name); choice != "" {
		implements = " implements " + choice
	} else if types.sent(d.Name) {
		implements = " implements ToJson"
	}
	about := upper(plain(d.About)) + "."
	if abouts != nil {
		about += " " + strings.Join(abouts, "; ") + "."
	}
	var b strings.Builder
	if len(about) <= lineWidth-len("    /**  */") {
		fmt.Fprintf(&b, "    /** %s */\n", about)
	} else {
		text := wrap(append([]string{"     *"}, strings.Fields(about)...), "     * ")
		fmt.Fprintf(&b, "    /**\n%s\n     */\n", text)
	}
	b.WriteString(wrapped("    record "+d.Name+"(", components, ")"+implements+" {"))
	if types.choice(d.Name) == "" {
		list := wrapped("            return new "+d.Name+"(", arguments, ");")
		fmt.Fprintf(&b, "        static %s of(Json json) {\n%s        }\n", d.Name, list)
	}
	if types.choice(d.Name) == "" && types.sent(d.Name) {
		b.WriteString("\n")
	}
	if types.sent(d.Name) {
		b.WriteString(javaToJSON(types, d))
	}
	b.WriteString("    }\n")
	return b.String()
}

func javaToJSON(types *Types, d model.Definition) string {
	var arguments, optional []string
	for _, f := range types.withCoord(d.Fields) {
		switch {
		case isCoord(f):
			arguments = append(arguments, `"q", coord.q, "r", coord.r`)
		case f.Type.Kind == model.Constant:
			arguments = append(arguments, fmt.Sprintf("%q, %q", f.Name, f.Type.Name))
		case f.Optional:
			optional = append(
				optional,
				fmt.Sprintf("            %s.ifPresent(value -> json.fields().put(%q, Json.of(value)));\n",
					javaName(f), f.Name),
			)
		default:
			arguments = append(arguments, fmt.Sprintf("%q, %s", f.Name, javaName(f)))
		}
	}
	object := fmt.Sprintf("Json.object(%s);\n", strings.Join(arguments, ", "))
	body := "            return " + object
	if optional != nil {
		body = "            var json = " + object + strings.Join(optional,
			"") + "            return json;\n"
	}
	return "        @Override\n        public Json toJson() {\n" + body + "        }\n"
}

// javaName returns the name of a component.
func javaName(f model.Field) string {
	if isCoord(f) {
		return "coord"
	}
	return camel(f.Name)
}

// javaType returns the type of a component, or of a type argument, which cannot be a primitive
// type.
func (t *Types) javaType(f model.Field, primitive bool) string {
	switch {
	case f.Optional:
		return "Optional<" + t.javaType(model.Field{Type: f.Type}, false) + ">"
	case f.Type.Kind == model.Nullable:
		return "Optional<" + t.javaType(model.Field{Type: *f.Type.Of}, false) + ">"
	case f.Type.Kind == model.Array:
		return "List<" + t.javaType(model.Field{Type: *f.Type.Of}, false) + ">"
	case f.Type.Kind == model.Map:
		return "Map<" + t.javaType(model.Field{Type: model.Type{Name: f.Type.Name}},
			false) + ", " + t.javaType(model.Field{Type: *f.Type.Of}, false) + ">"
	case t.isText(f.Type):
		return "String"
	case f.Type.Kind == model.Named:
		return f.Type.Name
	case primitive:
		return map[string]string{
			"string": "String", "integer": "int", "number": "double", "boolean": "boolean", "object": "Json",
			"any": "Json",
		}[f.Type.Name]
	}
	return map[string]string{
		"string": "String", "integer": "Integer", "number": "Double", "boolean": "Boolean",
		"object": "Json", "any": "Json",
	}[f.Type.Name]
}

// isText reports whether values of a type are strings of some kind.
func (t *Types) isText(of model.Type) bool {
	d := t.Lookup(of.Name)
	return of.Kind == model.Named && d != nil && d.Values != nil
}

// javaRead returns the expression of a component's value, from the object json.
func (t *Types) javaRead(f model.Field) string {
	switch {
	case isCoord(f):
		return coord + ".of(json)"
	case f.Default != nil && f.Type.Kind == model.Map:
		return fmt.Sprintf("json.find(%q).map(found -> %s).orElse(Map.of())", f.Name,
			t.javaValue(f.Type, "found"))
	case f.Default != nil:
		return fmt.Sprintf("json.find(%q).map(%s).orElse(%v)", f.Name, t.javaFunction(f.Type), f.Default)
	case f.Optional:
		return fmt.Sprintf("json.find(%q).map(%s)", f.Name, t.javaFunction(f.Type))
	case f.Type.Kind == model.Nullable:
		return fmt.Sprintf("json.find(%q).filter(value -> value != Json.Null.NULL).map(%s)", f.Name,
			t.javaFunction(*f.Type.Of))
	}
	return t.javaValue(f.Type, fmt.Sprintf("json.get(%q)", f.Name))
}

// javaAccessors are the methods of Json by the base types.
var javaAccessors = map[string]string{
	"string": "text", "integer": "integer", "number": "number", "boolean": "bool",
}

// javaValue returns the expression that converts an expression of type Json.
func (t *Types) javaValue(of model.Type, json string) string {
	switch {
	case of.Kind == model.Array:
		return fmt.Sprintf("%s.list(%s)", json, t.javaFunction(*of.Of))
	case of.Kind == model.Map && of.Name == "integer":
		return fmt.Sprintf("%s.map(Integer::valueOf, %s)", json, t.javaFunction(*of.Of))
	case of.Kind == model.Map:
		return fmt.Sprintf("%s.map(key -> key, %s)", json, t.javaFunction(*of.Of))
	case t.isText(of):
		return json + ".text()"
	case of.Kind == model.Named:
		return fmt.Sprintf("%s.of(%s)", of.Name, json)
	case javaAccessors[of.Name] == "":
		return json
	}
	return fmt.Sprintf("%s.%s()", json, javaAccessors[of.Name])
}

// javaFunction returns a function from Json to a type.
func (t *Types) javaFunction(of model.Type) string {
	switch {
	case t.isText(of):
		return "Json::text"
	case of.Kind == model.Named:
		return of.Name + "::of"
	case javaAccessors[of.Name] != "" && of.Kind == model.Base:
		return "Json::" + javaAccessors[of.Name]
	}
	return "value -> " + t.javaValue(of, "value")
}
