package hexabomb

import (
	"bytes"
	"errors"
	"strconv"
)

// looseDepth is how deep a map's text is read by [Loosen], in levels of nesting. A map
// needs four; what is deeper is under a key that does not count.
const looseDepth = 8

// Loosen returns the text of a map for [ParseMap] to read, in which all is blanked out
// that the original's reader lets pass and JSON does not have: text after the map's
// object, and a comma behind the last element of an array or an object. Under keys that
// do not count, values may be nested as deep, and numbers be as large, as they like. All
// else stays in its line and column.
func Loosen(data []byte) []byte {
	text := bytes.Clone(data)
	depth := 0
	comma := -1 // with nothing but white space behind it so far
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n':
			i = end
			continue
		case ',':
			comma, i = i, end
			continue
		case '"':
			end = quotedEnd(text, i)
		case '{', '[':
			if depth == looseDepth {
				end = nestedEnd(text, i)
				blank(text[i:end], "0")
			} else {
				depth++
			}
		case '}', ']':
			if comma >= 0 {
				text[comma] = ' '
			}
			if depth--; depth <= 0 {
				blank(text[end:], "")
				return text
			}
		case ':':
		default:
			end = wordEnd(text, i)
			if isHuge(text[i:end]) {
				blank(text[i:end], "0.1") // no coordinate either
			}
		}
		comma, i = -1, end
	}
	return text
}

// blank overwrites text with a word, if there is room for it, and spaces.
func blank(text []byte, word string) {
	for i, c := range text {
		if c != '\n' { // so that lines keep their numbers
			text[i] = ' '
		}
	}
	copy(text, word)
}

// quotedEnd is where the string that begins at text[i] ends.
func quotedEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// nestedEnd is where the array or object that begins at text[i] ends.
func nestedEnd(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = quotedEnd(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// wordEnd is where the number or the word that begins at text[i] ends.
func wordEnd(text []byte, i int) int {
	if n := bytes.IndexAny(text[i:], " \t\r\n,:\"[]{}"); n >= 0 {
		return i + n
	}
	return len(text)
}

// isHuge reports whether a word is a number beyond float64.
func isHuge(word []byte) bool {
	if len(bytes.Trim(word, "+-.0123456789eE")) > 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(word), 64)
	return errors.Is(err, strconv.ErrRange)
}
