package textutil

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// WriteJSON writes a value as indented JSON of which a terminal interprets nothing.
func WriteJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

// WriteJSONLine writes a value as JSON on one line, as WriteJSON does.
func WriteJSONLine(w io.Writer, v any) error { return writeJSON(w, v, "") }

func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(EscapeJSON(b.Bytes()))
	return err
}

// EscapeJSON returns a JSON text with escapes for the characters that a terminal interprets. It has
// them in strings only, except for the ends of lines between values.
func EscapeJSON(text []byte) []byte {
	interpreted := func(r rune) bool { return r != '\n' && Interpreted(r) }
	if !bytes.ContainsFunc(text, interpreted) {
		return text
	}
	safe := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if interpreted(r) {
			safe = fmt.Appendf(safe, `\u%04x`, r)
		} else {
			safe = append(safe, text[:n]...)
		}
		text = text[n:]
	}
	return safe
}
