package jsonscan

import "strings"

// shortBytes is how much of a value people need to find it in what they wrote: an action of a
// bot, with white space, is shorter.
const shortBytes = 120

// Short returns v as people read it in a message: in one line, valid UTF-8, and with "…" in place
// of its end if it is long.
func (v Value) Short() string {
	text, cut := []byte(v), false
	if len(text) > shortBytes {
		text, cut = text[:shortBytes], true
	}
	// A string has no line feeds: those that there are separate values.
	short := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "")), " ")
	if cut {
		return short + "…"
	}
	return short
}
