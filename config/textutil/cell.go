package textutil

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Interpreted reports whether a terminal interprets a character: control characters, and those
// that change the direction of text.
func Interpreted(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Cell returns a name as text that neither a terminal interprets nor a spreadsheet computes.
func Cell(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		name = "'" + name
	}
	return strings.Map(func(r rune) rune {
		if Interpreted(r) {
			return utf8.RuneError
		}
		return r
	}, name)
}
