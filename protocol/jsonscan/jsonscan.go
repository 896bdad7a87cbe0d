// Package jsonscan reads and writes JSON. It reads in place: it checks a text once and then
// extracts values from it without building a tree and, in the common case, without allocating. It
// accepts what encoding/json accepts, except for deep nesting and numbers beyond float64.
//
// The protocols read envelopes with it and the games read actions. A [Writer] appends JSON to
// a buffer: recordings and the events of the page are written with it.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is the deepest nesting that Parse accepts.
const MaxDepth = 512

// Errors of Parse and Select.
var (
	ErrSyntax = errors.New("not a JSON text")
	ErrDepth  = errors.New("JSON nested too deeply")
	ErrNumber = errors.New("JSON number out of range")
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Invalid is the kind of an empty or malformed text.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// Value is the text of one JSON value without surrounding white space, a part of the text
// from which it was extracted. Its methods require a value that Parse accepted; for any
// other text they return nothing useful but never panic.
type Value []byte

// Parse checks that data is one JSON value, possibly surrounded by white space, and returns
// that value.
func Parse(data []byte) (Value, error) {
	return parse(data, nil)
}

// Select is Parse that also stores the fields of an object: vals[i] is set to the value of
// the field names[i]. If a field is repeated, the last one counts; if it is missing, vals[i]
// is unchanged. Names are case-sensitive. If data is malformed, any of vals may have been
// set.
func Select(data []byte, names []string, vals []Value) (Value, error) {
	return parse(data, &selection{names, vals})
}

func parse(data []byte, to *selection) (Value, error) {
	start := skipSpace(data, 0)
	var end int
	var err error
	if to != nil && start < len(data) && data[start] == '{' {
		end, err = scanObject(data, start, 1, to)
	} else {
		end, err = scan(data, start, 0)
	}
	if err != nil {
		return nil, err
	}
	if skipSpace(data, end) != len(data) {
		return nil, ErrSyntax
	}
	return Value(data[start:end]), nil
}

// Deeper reports whether a text is nested deeper than levels. For malformed text the result
// is unspecified.
func Deeper(data []byte, levels int) bool {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			end, err := scanString(data, i)
			if err != nil {
				return false
			}
			i = end - 1
		case '{', '[':
			if depth++; depth > levels {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// selection holds the fields of an object to store.
type selection struct {
	names []string
	vals  []Value
}

func (s *selection) note(key, v Value) {
	for i, name := range s.names {
		if key.Is(name) {
			s.vals[i] = v
			return
		}
	}
}

// Kind returns the kind of v, judging by its first byte.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return Invalid
	}
	switch v[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number
	}
	return Invalid
}

// Text returns the value of a string: escapes resolved, invalid UTF-8 replaced by U+FFFD.
// For other kinds it returns "".
func (v Value) Text() string {
	if v.Kind() != String || len(v) < 2 {
		return ""
	}
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// Is reports whether v is a string with the value s, which must be printable ASCII.
func (v Value) Is(s string) bool {
	if len(v) < 2 || v[0] != '"' {
		return false
	}
	b := v[1 : len(v)-1]
	if string(b) == s {
		return true
	}
	for i := range len(s) {
		c, size := firstChar(b)
		if c != s[i] {
			return false
		}
		b = b[size:]
	}
	return len(b) == 0
}

// firstChar returns the first character of a string's content and the length of its
// encoding; c is 0 if the character is not ASCII.
func firstChar(b []byte) (c byte, size int) {
	switch {
	case len(b) == 0 || b[0] >= utf8.RuneSelf:
		return 0, 0
	case b[0] != '\\':
		return b[0], 1
	case len(b) < 2:
		return 0, 0
	case b[1] == 'u':
		n, err := strconv.ParseUint(string(b[2:min(len(b), 6)]), 16, 16)
		if err != nil || n >= utf8.RuneSelf || len(b) < 6 {
			return 0, 0
		}
		return byte(n), 6
	}
	return escapes[b[1]], 2
}

// escapes maps the character after a backslash to the character it stands for.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// Float returns the value of a number; ok is false for other kinds.
func (v Value) Float() (f float64, ok bool) {
	if n, ok := v.shortInt(); ok && n != 0 { // -0 is not 0
		return float64(n), true
	}
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil
}

// Int32 returns the value of v if it is a number whose value is a 32-bit integer, in any
// notation: 2, 2.0 and 0.2e1 are the same.
func (v Value) Int32() (n int32, ok bool) {
	if n, ok := v.shortInt(); ok {
		return n, true
	}
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || f < math.MinInt32 || f > math.MaxInt32 {
		return 0, false
	}
	return int32(f), true
}

// shortInt parses integers of up to nine digits, which are nearly all.
func (v Value) shortInt() (n int32, ok bool) {
	d := v
	if len(d) > 0 && d[0] == '-' {
		d = d[1:]
	}
	if len(d) == 0 || len(d) > 9 {
		return 0, false
	}
	for _, c := range d {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int32(c-'0')
	}
	if len(d) != len(v) {
		n = -n
	}
	return n, true
}

// Elements returns the elements of an array, and none for other kinds.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		m := membersOf(v, Array)
		for i := 0; ; i++ {
			if e, ok := m.value(); !ok || !yield(i, e) {
				return
			}
		}
	}
}

// Fields returns the fields of an object in their order, duplicates included, and none for
// other kinds. The keys are of kind String.
func (v Value) Fields() iter.Seq2[Value, Value] {
	return func(yield func(key, v Value) bool) {
		m := membersOf(v, Object)
		for {
			if key, v, ok := m.field(); !ok || !yield(key, v) {
				return
			}
		}
	}
}

// Field returns the last field of an object with a name, which is the one that counts, or nil.
// The name must be printable ASCII.
func (v Value) Field(name string) (last Value) {
	for key, v := range v.Fields() {
		if key.Is(name) {
			last = v
		}
	}
	return last
}

// members iterates over the values between two brackets.
type members struct {
	text []byte
	at   int
}

func membersOf(v Value, want Kind) members {
	if v.Kind() != want || len(v) < 2 {
		return members{}
	}
	return members{text: v[1 : len(v)-1]}
}

func (m *members) field() (key, v Value, ok bool) {
	if key, ok = m.value(); !ok {
		return nil, nil, false
	}
	m.at = skipSpace(m.text, m.at)
	if m.at >= len(m.text) || m.text[m.at] != ':' {
		return nil, nil, false
	}
	m.at++
	v, ok = m.value()
	return key, v, ok
}

func (m *members) value() (Value, bool) {
	m.at = skipSpace(m.text, m.at)
	if m.at < len(m.text) && m.text[m.at] == ',' {
		m.at = skipSpace(m.text, m.at+1)
	}
	end := skip(m.text, m.at)
	if end == m.at { // the end, or malformed text
		m.at = len(m.text)
		return nil, false
	}
	v := Value(m.text[m.at:end])
	m.at = end
	return v, true
}
