package jsonscan

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Writer appends JSON to a buffer, without allocation. Its methods append a field to the open
// object or, with an empty key, an element to the open array, after a comma if it is not the
// first. Keys are written as they are. The buffer must be empty or end inside of an object or
// an array.
type Writer []byte

// Key begins a field whose value the caller appends. With an empty key it begins an element.
func (w *Writer) Key(key string) {
	b := *w
	if len(b) > 0 {
		switch b[len(b)-1] {
		case '{', '[', ':', ',':
		default:
			b = append(b, ',')
		}
	}
	if key != "" {
		b = append(append(append(b, '"'), key...), `":`...)
	}
	*w = b
}

// Open begins an object or an array with its opening bracket.
func (w *Writer) Open(key string, bracket byte) {
	w.Key(key)
	*w = append(*w, bracket)
}

// Close ends an object or an array with its closing bracket.
func (w *Writer) Close(bracket byte) { *w = append(*w, bracket) }

// Int appends an integer.
func (w *Writer) Int(key string, n int64) {
	w.Key(key)
	*w = strconv.AppendInt(*w, n, 10)
}

// Hex appends bytes as a string of hexadecimal digits.
func (w *Writer) Hex(key string, data []byte) {
	w.Key(key)
	*w = append(hex.AppendEncode(append(*w, '"'), data), '"')
}

// Raw appends a value that is JSON.
func (w *Writer) Raw(key string, text []byte) {
	w.Key(key)
	*w = append(*w, text...)
}

// String appends a string. Bytes that are not UTF-8 are replaced.
func (w *Writer) String(key, s string) {
	w.Key(key)
	for i := range len(s) { // nearly all strings are plain words of a game
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			w.marshal(s)
			return
		}
	}
	*w = append(append(append(*w, '"'), s...), '"')
}

// JSON appends a value as encoding/json does. It must be one that can be marshalled.
func (w *Writer) JSON(key string, v any) {
	w.Key(key)
	w.marshal(v)
}

func (w *Writer) marshal(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	*w = append(*w, text...)
}
