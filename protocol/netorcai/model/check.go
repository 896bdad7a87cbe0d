package model

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// kindOf maps the base types that allow only one kind of JSON value to it.
var kindOf = map[string]jsonscan.Kind{
	"string": jsonscan.String, "integer": jsonscan.Number, "number": jsonscan.Number, "boolean": jsonscan.Bool, "object": jsonscan.Object,
}

// Check returns an error if a JSON value is not one that our encoders may write for a type: with
// exactly the fields of the model, in its order, and within their bounds.
func (m *Model) Check(t Type, v jsonscan.Value) error {
	switch kind := v.Kind(); {
	case t.Kind == Named:
		return m.checkNamed(m.Type(t.Name), v)
	case t.Kind == Nullable && kind == jsonscan.Null:
		return nil
	case t.Kind == Nullable:
		return m.Check(*t.Of, v)
	case t.Kind == Array && kind == jsonscan.Array:
		for i, e := range v.Elements() {
			if err := m.Check(*t.Of, e); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	case t.Kind == Map && kind == jsonscan.Object:
		for key, e := range v.Fields() {
			if _, err := strconv.Atoi(key.Text()); err != nil && t.Name == "integer" {
				return fmt.Errorf("the key %s is no integer", key)
			}
			if err := m.Check(*t.Of, e); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	case t.Kind == Constant && kind == jsonscan.String && v.Is(t.Name):
		return nil
	case t.Kind == Base && t.Name == "integer" && kind == jsonscan.Number:
		_, err := strconv.ParseInt(string(v), 10, 64)
		return err
	case t.Kind == Base && (t.Name == "any" || kind == kindOf[t.Name]):
		return nil
	}
	return fmt.Errorf("%.60s is not of the type %s", v, t)
}

func (m *Model) checkNamed(d *Definition, v jsonscan.Value) error {
	switch {
	case d.Values != nil:
		if v.Kind() == jsonscan.String && slices.Contains(d.Values, v.Text()) {
			return nil
		}
		return fmt.Errorf("%.60s is no %s", v, d.Name)
	case d.OneOf != nil:
		for _, name := range d.OneOf {
			if m.checkNamed(m.Type(name), v) == nil {
				return nil
			}
		}
		return fmt.Errorf("%.60s is no %s", v, d.Name)
	}
	return m.CheckFields(d.Fields, v)
}

// CheckFields is Check for an object with some fields.
func (m *Model) CheckFields(fields []Field, v jsonscan.Value) error {
	if v.Kind() != jsonscan.Object {
		return fmt.Errorf("%.60s is no object", v)
	}
	for key, e := range v.Fields() {
		for len(fields) > 0 && fields[0].Optional && !key.Is(fields[0].Name) {
			fields = fields[1:]
		}
		if len(fields) == 0 || !key.Is(fields[0].Name) {
			return fmt.Errorf("the key %s is unknown, or not in its place", key)
		}
		f := fields[0]
		err := m.Check(f.Type, e)
		if err == nil {
			err = f.checkBounds(e)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		fields = fields[1:]
	}
	if len(fields) > 0 && !fields[0].Optional {
		return fmt.Errorf("the key %s is missing", fields[0].Name)
	}
	return nil
}

// checkBounds returns an error if a value of the right type is beyond the field's bounds.
func (f *Field) checkBounds(v jsonscan.Value) error {
	n, text := 0, ""
	switch v.Kind() {
	case jsonscan.Number:
		x, _ := v.Float()
		if f.Min != nil && x < float64(*f.Min) || f.Max != nil && x > float64(*f.Max) {
			return fmt.Errorf("%s is out of bounds", v)
		}
		return nil
	case jsonscan.String:
		text = v.Text()
		n = utf8.RuneCountInString(text)
	case jsonscan.Array:
		for range v.Elements() {
			n++
		}
	default:
		return nil
	}
	if n < f.MinLength || f.MaxLength > 0 && n > f.MaxLength {
		return fmt.Errorf("%.60s has the length %d", v, n)
	}
	if f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString(text) {
		return fmt.Errorf("%.60s does not match %s", v, f.Pattern)
	}
	return nil
}
