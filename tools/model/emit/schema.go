package emit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// schemaBase is the beginning of the schemas' identifiers: where they can be read.
const schemaBase = "https://raw.githubusercontent.com/hexarena/hexarena/main/" + SchemaFolder + "/"

// schema is a JSON Schema with the keywords that the models need, in the order in which they
// are written.
type schema struct {
	Schema      string     `json:"$schema,omitempty"`
	ID          string     `json:"$id,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Ref         string     `json:"$ref,omitempty"`
	Type        string     `json:"type,omitempty"`
	Const       string     `json:"const,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	OneOf       []*schema  `json:"oneOf,omitempty"`
	AnyOf       []*schema  `json:"anyOf,omitempty"`
	Minimum     *int64     `json:"minimum,omitempty"`
	Maximum     *int64     `json:"maximum,omitempty"`
	MinLength   int        `json:"minLength,omitempty"`
	MaxLength   int        `json:"maxLength,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	MinItems    int        `json:"minItems,omitempty"`
	MaxItems    int        `json:"maxItems,omitempty"`
	Names       *schema    `json:"propertyNames,omitempty"`
	Values      *schema    `json:"additionalProperties,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Default     any        `json:"default,omitempty"`
	Definitions properties `json:"$defs,omitempty"`
}

// properties is a JSON object that keeps the order of its members.
type properties []property

type property struct {
	name  string
	value *schema
}

// MarshalJSON implements json.Marshaler.
func (list properties) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range list {
		if i > 0 {
			out = append(out, ',')
		}
		text, err := encode(p.value, "")
		if err != nil {
			return nil, err
		}
		out = append(fmt.Appendf(out, "%q:", p.name), text...)
	}
	return append(out, '}'), nil
}

// encode returns v as JSON, without escapes for HTML.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(v)
	return b.Bytes(), err
}

// Schemas returns the JSON Schemas (2020-12) of a model by name: one for each message, or a
// game's "state" and "actions", the actions that a client sends in one turn. They describe what
// is to be sent; receivers accept more, such as integers with a fraction. Unknown fields are
// allowed. Numbers beyond what a schema can express, such as sizes in bytes, are left out.
func Schemas(m *model.Model) map[string]string {
	schemas := map[string]string{}
	add := func(name string, s *schema) {
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
		s.ID = schemaBase + m.Name + "/" + name + ".json"
		text, err := encode(s, "  ")
		if err != nil {
			panic(fmt.Sprintf("schema of %s: %v", name, err)) // nothing in it can fail
		}
		schemas[name] = string(text)
	}
	for i := range m.Messages {
		msg := &m.Messages[i]
		s := objectSchema(msg.Fields)
		s.Title, s.Description = msg.Name, fmt.Sprintf("%s → %s: %s", msg.From, msg.To, plain(msg.About))
		s.Properties = append(properties{{"message_type", &schema{Const: msg.Name}}}, s.Properties...)
		s.Required = append([]string{"message_type"}, s.Required...)
		s.Definitions = definitions(m, msg.Fields)
		add(msg.Name, s)
	}
	if m.State != "" {
		s := definitionSchema(m.Type(m.State))
		s.Title, s.Definitions = "the state of "+m.Name, definitions(m, m.Type(m.State).Fields)
		add("state", s)
		actions := model.Type{Kind: model.Array, Of: &model.Type{Kind: model.Named, Name: m.Action}}
		s = typeSchema(actions)
		s.Title = "the actions of a player of " + m.Name + " in one turn"
		s.Definitions = definitions(m, []model.Field{{Type: actions}})
		add("actions", s)
	}
	return schemas
}

// definitions returns the schemas of all types that fields refer to, in the model's order.
func definitions(m *model.Model, fields []model.Field) properties {
	used := map[string]bool{}
	var visit func(fields []model.Field)
	visit = func(fields []model.Field) {
		for _, f := range fields {
			t := f.Type
			for t.Of != nil {
				t = *t.Of
			}
			if d := m.Type(t.Name); d != nil {
				used[d.Name] = true
				visit(d.Fields)
				for _, name := range d.OneOf {
					used[name] = true
					visit(m.Type(name).Fields)
				}
			}
		}
	}
	visit(fields)
	var list properties
	for i := range m.Types {
		if d := &m.Types[i]; used[d.Name] {
			list = append(list, property{d.Name, definitionSchema(d)})
		}
	}
	return list
}

func definitionSchema(d *model.Definition) *schema {
	s := objectSchema(d.Fields)
	switch {
	case d.Values != nil:
		s = &schema{Enum: d.Values}
	case d.OneOf != nil:
		s = &schema{}
		for _, name := range d.OneOf {
			// An object may be of several types, since unknown fields are allowed.
			s.AnyOf = append(s.AnyOf, &schema{Ref: "#/$defs/" + name})
		}
	}
	s.Description = plain(d.About)
	return s
}

func objectSchema(fields []model.Field) *schema {
	s := &schema{Type: "object"}
	for _, f := range fields {
		v := typeSchema(f.Type)
		v.Description, v.Default = plain(f.About), f.Default
		v.Minimum, v.Maximum, v.Pattern = f.Min, f.Max, f.Pattern
		if v.Type == "array" {
			v.MinItems, v.MaxItems = f.MinLength, f.MaxLength
		} else {
			v.MinLength, v.MaxLength = f.MinLength, f.MaxLength
		}
		s.Properties = append(s.Properties, property{f.Name, v})
		if !f.Optional {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func typeSchema(t model.Type) *schema {
	switch t.Kind {
	case model.Named:
		return &schema{Ref: "#/$defs/" + t.Name}
	case model.Array:
		return &schema{Type: "array", Items: typeSchema(*t.Of)}
	case model.Map:
		s := &schema{Type: "object", Values: typeSchema(*t.Of)}
		if t.Name == "integer" {
			s.Names = &schema{Pattern: "^[0-9]+$"}
		}
		return s
	case model.Nullable:
		return &schema{OneOf: []*schema{typeSchema(*t.Of), {Type: "null"}}}
	case model.Constant:
		return &schema{Const: t.Name}
	}
	if t.Name == "any" {
		return &schema{}
	}
	return &schema{Type: t.Name}
}
