package netorcai

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// The types of messages.
const (
	typeLogin      = "LOGIN"
	typeLoginAck   = "LOGIN_ACK"
	typeKick       = "KICK"
	typeGameStarts = "GAME_STARTS"
	typeTurn       = "TURN"
	typeTurnOver   = "TURN_OVER"
	typeTurnAck    = "TURN_ACK"
	typeGameEnds   = "GAME_ENDS"
	typeDoInit     = "DO_INIT"
	typeDoInitAck  = "DO_INIT_ACK"
	typeDoTurn     = "DO_TURN"
	typeDoTurnAck  = "DO_TURN_ACK"
)

// maxQuoted is the length in bytes to which errors and kicks cut a peer's text. First
// messages are shorter. netorcai has no such limit and repeats up to 16 MiB, also in its log.
const maxQuoted = 4096

// ErrNotJSON reports a content that is neither a JSON object nor null.
var ErrNotJSON error = notJSON{}

type notJSON struct{}

func (notJSON) Error() string { return "Non-JSON message received" }

// DepthError reports a content that is nested deeper than the receiver's limit. Nesting beyond
// [jsonscan.MaxDepth] is always ErrNotJSON; netorcai's bound for that is 10 000.
type DepthError struct{ Limit int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("Message nested too deeply: more than %d levels", e.Limit)
}

// FieldError reports a message with a field that is missing, has the wrong type or an invalid
// value.
type FieldError struct {
	Field string
	text  string
}

func (e *FieldError) Error() string { return e.text }

// TypeError reports a message of another type than expected.
type TypeError struct{ Got, Want string }

func (e *TypeError) Error() string {
	return "Received '" + clip(e.Got, maxQuoted) + "' message type, while " + e.Want + " was expected"
}

// clip shortens s to at most limit bytes without cutting a character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	end := 0
	for i := range s {
		if i > limit-len(mark) {
			break
		}
		end = i
	}
	return s[:end] + mark
}

// maxFields is the largest number of fields of a message.
const maxFields = 11

// fields reads the fields of one message, one at a time and in the order of names. The first
// error is kept in err; from then on all values are zero.
type fields struct {
	names []string
	vals  [maxFields]jsonscan.Value // by index in names; nil for a field that is missing
	at    int                       // index of the next field
	err   error
}

// readFields selects the fields called names from content, a JSON object or null. In null,
// the first field that is read is missing.
func readFields(content []byte, names []string) (f fields) {
	f.names = names
	obj, err := jsonscan.Select(content, names, f.vals[:])
	if err != nil || obj.Kind() != jsonscan.Object && obj.Kind() != jsonscan.Null {
		f.err = ErrNotJSON
	}
	return f
}

// CheckObject does the check that precedes every other check of a message. The error is
// ErrNotJSON.
func CheckObject(content []byte) error { return readFields(content, nil).err }

// pick stores the values of obj's fields called names. Names are case-sensitive; if one is
// repeated, the last field counts.
func (f *fields) pick(obj jsonscan.Value, names []string) {
	f.names = names
	for key, v := range obj.Fields() {
		name := []byte(key[1 : len(key)-1])
		if bytes.IndexByte(name, '\\') >= 0 {
			name = []byte(key.Text())
		}
		for i := range names {
			if string(name) == names[i] {
				f.vals[i] = v
				break
			}
		}
	}
}

// next advances to the next field and checks its presence and kind, which errors call noun.
func (f *fields) next(kind jsonscan.Kind, noun string) (jsonscan.Value, bool) {
	if f.err != nil {
		return nil, false
	}
	name, v := f.names[f.at], f.vals[f.at]
	f.at++
	switch v.Kind() {
	case kind:
		return v, true
	case jsonscan.Invalid:
		f.fail(name, "Field '"+name+"' is missing")
	default:
		f.fail(name, "Non-"+noun+" value for field '"+name+"'")
	}
	return nil, false
}

// fail records an error of the field called name, unless there was one before.
func (f *fields) fail(name, text string) {
	if f.err == nil {
		f.err = &FieldError{Field: name, text: text}
	}
}

// messageType checks message_type.
func (f *fields) messageType(want string) {
	v, ok := f.next(jsonscan.String, "string")
	if ok && !v.Is(want) {
		f.err = &TypeError{Got: v.Text(), Want: want}
	}
}

func (f *fields) text() string {
	v, _ := f.next(jsonscan.String, "string")
	return v.Text()
}

// integer rounds a number to float64 and drops its fraction: 1.9 is 1. A number outside the
// range of int becomes the nearest int; in netorcai, the result depends on the processor.
func (f *fields) integer() int {
	v, _ := f.next(jsonscan.Number, "integral")
	x, _ := v.Float()
	switch {
	case x >= math.MaxInt:
		return math.MaxInt
	case x <= math.MinInt:
		return math.MinInt
	}
	return int(x)
}

// count is an integer that is written without fraction and exponent, as every server writes it.
func (f *fields) count() int {
	v, ok := f.next(jsonscan.Number, "integral")
	n, err := strconv.Atoi(string(v))
	if ok && err != nil {
		name := f.names[f.at-1]
		f.fail(name, "Non-integral value for field '"+name+"'")
	}
	return n
}

func (f *fields) number() float64 {
	v, _ := f.next(jsonscan.Number, "numeric")
	x, _ := v.Float()
	return x
}

func (f *fields) boolean() bool {
	v, ok := f.next(jsonscan.Bool, "boolean")
	return ok && v[0] == 't'
}

func (f *fields) object() jsonscan.Value {
	v, _ := f.next(jsonscan.Object, "object")
	return v
}

func (f *fields) array() jsonscan.Value {
	v, _ := f.next(jsonscan.Array, "array")
	return v
}

// any returns the next field if it is present and not null.
func (f *fields) any() jsonscan.Value {
	v := f.vals[f.at]
	f.at++
	if f.err != nil || v.Kind() == jsonscan.Null {
		return nil
	}
	return v
}

// optionalText returns the text of the next field, "" if that is no string.
func (f *fields) optionalText() string {
	if v := f.any(); v.Kind() == jsonscan.String {
		return v.Text()
	}
	return ""
}

// optionalBoolean reports whether the next field is true.
func (f *fields) optionalBoolean() bool {
	v := f.any()
	return v.Kind() == jsonscan.Bool && v[0] == 't'
}

// optionalNumber returns the next field if it is a whole number of 0…[MaxSeed], else 0.
func (f *fields) optionalNumber() uint64 {
	if x, ok := f.any().Float(); ok && x >= 0 && x <= MaxSeed && x == math.Trunc(x) {
		return uint64(x)
	}
	return 0
}

var stateFields = []string{"all_clients"}

// state reads the envelope of a state in a game logic's message and returns its all_clients.
func (f *fields) state() jsonscan.Value {
	envelope := f.object()
	if f.err != nil {
		return nil
	}
	var inner fields
	inner.pick(envelope, stateFields)
	state := inner.object()
	f.err = inner.err
	return state
}
