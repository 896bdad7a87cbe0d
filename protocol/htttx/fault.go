package htttx

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Fault describes a violation of the protocol. Field and Problem form a sentence such as
// "move.pieces[1].q is not an integer: 1.5".
type Fault struct {
	Field   string // such as move.pieces[1].q, or "the message" for the whole
	Problem string // begins with a verb
}

func (f *Fault) Error() string { return f.Field + " " + f.Problem }

const whole = "the message"

// maxQuoted is the length in bytes to which a fault cuts a peer's text.
const maxQuoted = 40

func quoted(v []byte) string {
	if len(v) <= maxQuoted {
		return string(v)
	}
	return string(v[:maxQuoted]) + "…"
}

// parseObject parses a text that must be one JSON object.
func parseObject(data []byte) (jsonscan.Value, error) {
	v, err := jsonscan.Parse(data)
	switch {
	case errors.Is(err, jsonscan.ErrSyntax):
		return nil, &Fault{whole, "is not JSON" + where(data)}
	case errors.Is(err, jsonscan.ErrDepth):
		return nil, &Fault{whole, "is nested too deeply"}
	case err != nil:
		return nil, &Fault{whole, "holds a number that is too large"}
	case v.Kind() != jsonscan.Object:
		return nil, &Fault{whole, "is not a JSON object: " + quoted(v)}
	}
	return v, nil
}

// where returns the place of a syntax error.
func where(data []byte) string {
	var wrong *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); !errors.As(err, &wrong) ||
		wrong.Offset <= maxQuoted/2 {
		return ": " + quoted(data)
	}
	return " at byte " + strconv.FormatInt(wrong.Offset, 10) + ": …" + quoted(
		data[wrong.Offset-maxQuoted/2:])
}

// optional is like lookup but treats null as absent.
func optional(obj jsonscan.Value, name string) jsonscan.Value {
	if v := obj.Field(name); v.Kind() != jsonscan.Null {
		return v
	}
	return nil
}

var kindNames = map[jsonscan.Kind]string{
	jsonscan.Bool: "true or false", jsonscan.Number: "a number", jsonscan.String: "a string",
	jsonscan.Array: "an array", jsonscan.Object: "an object",
}

// need checks that a value is present and of that kind.
func need(v jsonscan.Value, path string, kind jsonscan.Kind) error {
	switch v.Kind() {
	case kind:
		return nil
	case jsonscan.Invalid:
		return &Fault{path, "is missing"}
	case jsonscan.Null:
		return &Fault{path, "is null"}
	}
	return &Fault{path, "is not " + kindNames[kind] + ": " + quoted(v)}
}

// needField combines lookup and need.
func needField(obj jsonscan.Value, name string, kind jsonscan.Kind) (jsonscan.Value, error) {
	v := obj.Field(name)
	return v, need(v, name, kind)
}

// integer parses a 32-bit integer in any notation: for JSON Schema, 2.0 is an integer.
func integer(v jsonscan.Value, path string) (int32, error) {
	if err := need(v, path, jsonscan.Number); err != nil {
		return 0, err
	}
	if n, ok := v.Int32(); ok {
		return n, nil
	}
	if f, _ := v.Float(); f > math.MaxInt32 || f < math.MinInt32 {
		return 0, &Fault{path, "is too large: " + quoted(v)}
	}
	return 0, &Fault{path, "is not an integer: " + quoted(v)}
}

// maxExact is the bound up to which float64 holds all integers exactly.
const maxExact = 1 << 53

// requestID parses the optional field request_id.
func requestID(obj jsonscan.Value) (*int64, error) {
	v := optional(obj, "request_id")
	if v == nil {
		return nil, nil
	}
	if err := need(v, "request_id", jsonscan.Number); err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(string(v), 10, 64)
	if f, _ := v.Float(); err != nil && f == math.Trunc(f) && f < maxExact {
		id, err = int64(f), nil
	}
	if err != nil || id < 0 {
		return nil, &Fault{"request_id", "is not an integer of 0 or more: " + quoted(v)}
	}
	return &id, nil
}
