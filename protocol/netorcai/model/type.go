package model

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Kind is the kind of a type.
type Kind uint8

// The kinds of types.
const (
	Base  Kind = iota // Name is string, integer, number, boolean, object or any
	Named             // Name is that of a Definition
	Array             // of Of
	// an object with values of type Of; its keys are of the base type Name, written as strings
	Map
	Nullable // Of or null
	Constant // the string Name
)

var baseTypes = []string{"string", "integer", "number", "boolean", "object", "any"}

// Type is the type of a field. In JSON it is a name, or an object with one of the keys array,
// map, nullable and constant. A map may also have keys, string or integer.
type Type struct {
	Kind Kind
	Name string
	Of   *Type // nil for Base, Named and Constant
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Type) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		if err := json.Unmarshal(text, &t.Name); err != nil {
			return err
		}
		if !slices.Contains(baseTypes, t.Name) {
			t.Kind = Named
		}
		return nil
	}
	var composed struct {
		Array, Map, Nullable *Type
		Constant             string
		Keys                 string
	}
	if err := json.Unmarshal(text, &composed); err != nil {
		return err
	}
	switch c := composed; {
	case c.Array != nil:
		*t = Type{Kind: Array, Of: c.Array}
	case c.Map != nil:
		*t = Type{Kind: Map, Name: "string", Of: c.Map}
		if c.Keys == "integer" {
			t.Name = c.Keys
		}
	case c.Nullable != nil:
		*t = Type{Kind: Nullable, Of: c.Nullable}
	case c.Constant != "":
		*t = Type{Kind: Constant, Name: c.Constant}
	default:
		return fmt.Errorf("type %s is neither a name nor an array, map, nullable or constant", text)
	}
	return nil
}

// String returns the type as the documentation writes it, such as "array of Cell".
func (t Type) String() string {
	switch t.Kind {
	case Array:
		return "array of " + t.Of.String()
	case Map:
		return "object of " + t.Of.String() + " by " + t.Name
	case Nullable:
		return t.Of.String() + " or null"
	case Constant:
		return `"` + t.Name + `"`
	}
	return t.Name
}
