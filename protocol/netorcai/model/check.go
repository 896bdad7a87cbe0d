package model

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// kindOf maps the base types that allow only one kind of JSON value to it.
var kindOf = map[string]jsonscan.Kind{
	"string": jsonscan.String, "integer": jsonscan.Number, "number": jsonscan.Number,
	"boolean": jsonscan.Bool, "object": jsonscan.Object,
}

// Checker compares JSON values with a model.
type Checker struct {
	Model *Model
	Peer  bool // accept what peers may write as well: fields in any order, and integers such as 2.0
}

// CheckMessage returns an error if a value is not the message of its message_type.
func (c Checker) CheckMessage(v jsonscan.Value) error {
	for key, kind := range v.Fields() {
		if !key.Is("message_type") {
			continue
		}
		msg := c.Model.Message(kind.Text())
		if msg == nil {
			return fmt.Errorf("there is no message %.60s", kind)
		}
		constant := Field{Name: "message_type", Type: Type{Kind: Constant, Name: msg.Name}}
		return c.checkFields(append([]Field{constant}, msg.Fields...), v)
	}
	return fmt.Errorf("%.60s has no message_type", v)
}

// Check returns an error if a value is not of a type: with exactly the fields of the model and
// within their bounds.
func (c Checker) Check(t Type, v jsonscan.Value) error {
	switch kind := v.Kind(); {
	case t.Kind == Named:
		return c.checkNamed(c.Model.Type(t.Name), v)
	case t.Kind == Nullable && kind == jsonscan.Null:
		return nil
	case t.Kind == Nullable:
		return c.Check(*t.Of, v)
	case t.Kind == Array && kind == jsonscan.Array:
		for i, e := range v.Elements() {
			if err := c.Check(*t.Of, e); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	case t.Kind == Map && kind == jsonscan.Object:
		for key, e := range v.Fields() {
			if _, err := strconv.Atoi(key.Text()); err != nil && t.Name == "integer" {
				return fmt.Errorf("the key %s is no integer", key)
			}
			if err := c.Check(*t.Of, e); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	case t.Kind == Constant && kind == jsonscan.String && v.Is(t.Name):
		return nil
	case t.Kind == Base && t.Name == "integer" && kind == jsonscan.Number:
		if x, _ := v.Float(); c.Peer && x == math.Trunc(x) {
			return nil
		}
		_, err := strconv.ParseInt(string(v), 10, 64)
		return err
	case t.Kind == Base && (t.Name == "any" || kind == kindOf[t.Name]):
		return nil
	}
	return fmt.Errorf("%.60s is not of the type %s", v, t)
}

func (c Checker) checkNamed(d *Definition, v jsonscan.Value) error {
	switch {
	case d.Values != nil:
		if v.Kind() == jsonscan.String && slices.Contains(d.Values, v.Text()) {
			return nil
		}
		return fmt.Errorf("%.60s is no %s", v, d.Name)
	case d.OneOf != nil:
		for _, name := range d.OneOf {
			if c.checkNamed(c.Model.Type(name), v) == nil {
				return nil
			}
		}
		return fmt.Errorf("%.60s is no %s", v, d.Name)
	}
	return c.checkFields(d.Fields, v)
}

// checkFields is Check for an object with some fields.
func (c Checker) checkFields(fields []Field, v jsonscan.Value) error {
	if v.Kind() != jsonscan.Object {
		return fmt.Errorf("%.60s is no object", v)
	}
	seen, next := make([]bool, len(fields)), 0
	for key, e := range v.Fields() {
		i := slices.IndexFunc(fields, func(f Field) bool { return key.Is(f.Name) })
		if i < 0 || seen[i] || i < next && !c.Peer {
			return fmt.Errorf("the key %s is unknown, repeated or not in its place", key)
		}
		seen[i], next = true, i+1
		err := c.Check(fields[i].Type, e)
		if err == nil {
			err = fields[i].checkBounds(e)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", fields[i].Name, err)
		}
	}
	for i, f := range fields {
		if !seen[i] && !f.Optional {
			return fmt.Errorf("the key %s is missing", f.Name)
		}
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
