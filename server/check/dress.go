package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// dressed returns the plain case with all messages changed.
func dressed(change func([]byte) []byte) func(*run) error {
	return func(r *run) error {
		r.dress = change
		return r.plain()
	}
}

// extra is a field that no version of the protocol has.
const extra = `"x-check":{"a":[1,-2.5e-3,null,true,{"b":"\u00e9\ud83d\ude00\"\\"}],"":{}}`

// withUnknown adds fields to a message and to the states in it.
func withUnknown(content []byte) []byte {
	content = append([]byte("{"+extra+","), content[1:]...)
	for _, state := range []string{`"game_state":{`, `"initial_game_state":{`} {
		content = bytes.Replace(content, []byte(state), []byte(state+extra+","), 1)
	}
	return content
}

// rewritten returns a message with its fields in the order of the alphabet, with spaces between the
// tokens and an escape in its type.
func rewritten(content []byte) []byte {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(content, &fields); err != nil {
		return content
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	out := []byte("{ ")
	for i, name := range names {
		if i > 0 {
			out = append(out, " , "...)
		}
		value := fields[name]
		if name == "message_type" { // "TURN" becomes "TUR\u004e"
			last := len(value) - 2
			value = fmt.Appendf(slices.Clip(value[:last]), `\u%04x"`, value[last])
		}
		out = append(append(append(out, `"`+name+`" :  `...), value...), ' ')
	}
	return append(out, '}')
}

// padding is the length of padded messages: more than any buffer of a fixed size that bots
// have.
const padding = 2 << 20

// padded returns a state's message with white space in it. Other messages stay as they are.
func padded(content []byte) []byte {
	if !bytes.Contains(content, []byte(`game_state":{`)) {
		return content
	}
	return slices.Concat(content[:1], bytes.Repeat([]byte{' '}, padding), content[1:])
}

// nested is how deep the deep field is: less than what the protocol's readers must accept.
const nested = 400

func deep(content []byte) []byte {
	if !bytes.Contains(content, []byte(`game_state":{`)) {
		return content
	}
	return slices.Concat([]byte(`{"x-check":`), bytes.Repeat([]byte{'['}, nested),
		bytes.Repeat([]byte{']'}, nested), []byte{','}, content[1:])
}
