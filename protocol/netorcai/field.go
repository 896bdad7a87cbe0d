package netorcai

import (
	"bytes"
	"fmt"
	"math"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// The kinds of messages.
const (
	typeLogin      = "LOGIN"
	typeLoginAck   = "LOGIN_ACK"
	typeKick       = "KICK"
	typeGameStarts = "GAME_STARTS"
	typeTurn       = "TURN"
	typeTurnAck    = "TURN_ACK"
	typeGameEnds   = "GAME_ENDS"
	typeDoInit     = "DO_INIT"
	typeDoInitAck  = "DO_INIT_ACK"
	typeDoTurn     = "DO_TURN"
	typeDoTurnAck  = "DO_TURN_ACK"
)

// maxQuoted bounds, in bytes, what an error or a kick repeats of a peer's text.
// A first message cannot reach it. netorcai has no such bound and repeats 16
// MiB, into its log too.
const maxQuoted = 4096

// ErrNotJSON is a content that is neither a JSON object nor null.
var ErrNotJSON error = notJSON{}

type notJSON struct{}

func (notJSON) Error() string { return "Non-JSON message received" }

// DepthError is a content that is nested deeper than the receiver has set. Beyond
// [jsonscan.MaxDepth] any is ErrNotJSON, as for netorcai beyond 10 000.
type DepthError struct{ Limit int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("Message nested too deeply: more than %d levels", e.Limit)
}

// FieldError is a message that could be read but breaks a rule: a field is
// missing, of the wrong type, or has a value that will not do.
type FieldError struct {
	Field string
	text  string
}

func (e *FieldError) Error() string { return e.text }

// TypeError is a message of another type than the one expected.
type TypeError struct{ Got, Want string }

func (e *TypeError) Error() string {
	return "Received '" + clip(e.Got, maxQuoted) + "' message type, while " + e.Want + " was expected"
}

// clip shortens s to limit bytes, whole characters only.
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

// maxFields is the most fields that any message has.
const maxFields = 9

// fields reads the fields of one message, one at a time and in the order of
// names. The first fault sticks in err; from then on every value read is zero.
type fields struct {
	names []string
	vals  [maxFields]jsonscan.Value // by index in names; nil for a field that is missing
	at    int                       // index of the field to be read next
	err   error
}

// readFields picks the fields called names out of content, which is a JSON
// object or null. A null has no field, and so lacks the first one that is read.
func readFields(content []byte, names []string) (f fields) {
	f.names = names
	obj, err := jsonscan.Select(content, names, f.vals[:])
	if err != nil || obj.Kind() != jsonscan.Object && obj.Kind() != jsonscan.Null {
		f.err = ErrNotJSON
	}
	return f
}

// CheckObject is the check that every message passes before its fields are
// looked at. The error is ErrNotJSON.
func CheckObject(content []byte) error { return readFields(content, nil).err }

// pick notes the values that obj has under names. Names are case-sensitive; of
// a name that is written more than once the last counts.
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

// next moves on to the next field and checks that it is there and of a kind,
// which the error calls noun.
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

// fail records what is wrong with the field called name, if nothing was before.
func (f *fields) fail(name, text string) {
	if f.err == nil {
		f.err = &FieldError{Field: name, text: text}
	}
}

// messageType reads message_type.
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

// integer takes any number for an integer by dropping its fraction, after it
// was rounded to a float64: 1.9 is 1. Numbers out of the range of an int become
// the nearest one in it; in netorcai they become whatever the processor makes
// of them.
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

// any takes the next field as it is, if it is there and not null.
func (f *fields) any() jsonscan.Value {
	v := f.vals[f.at]
	f.at++
	if f.err != nil || v.Kind() == jsonscan.Null {
		return nil
	}
	return v
}

var stateFields = []string{"all_clients"}

// state reads the object that a game logic wraps a state in, and in it the
// state, which is the object all_clients.
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
