package jsonscan

import (
	"strconv"
	"strings"
)

// At returns the value that a JSON pointer (RFC 6901) such as "/board/cells" names in v, or nil if
// the pointer names no value of v. The empty pointer names v itself. Of a repeated key the last one
// counts.
func (v Value) At(pointer string) Value {
	if pointer == "" {
		return v
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		v = v.member(unescapes.Replace(token))
	}
	return v
}

// unescapes are the two escapes of a pointer.
var unescapes = strings.NewReplacer("~1", "/", "~0", "~")

// member returns the field or the element of v that a token names, or nil.
func (v Value) member(token string) (found Value) {
	if v.Kind() == Array {
		n, err := strconv.Atoi(token)
		if err != nil {
			return nil
		}
		for i, e := range v.Elements() {
			if i == n {
				return e
			}
		}
		return nil
	}
	for key, e := range v.Fields() {
		if key.Is(token) {
			found = e
		}
	}
	return found
}
