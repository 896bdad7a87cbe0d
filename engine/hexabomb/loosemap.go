package hexabomb

import (
	"bytes"
	"errors"
	"strconv"
)

// looseDepth is the nesting depth down to which [Loosen] reads a map's text. A map needs
// four levels; deeper values belong to keys that are ignored.
const looseDepth = 8

// Loosen returns a copy of a map's text for [ParseMap]. It blanks out what the original's
// reader tolerates and JSON does not have: text after the map's object, and a comma after
// the last element of an array or an object. It also replaces values under ignored keys
// that are nested too deeply or are too large as numbers. Everything else keeps its line
// and column.
func Loosen(data []byte) []byte {
	text := bytes.Clone(data)
	depth := 0
	comma := -1 // the last comma, if only white space followed it so far
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
				blank(text[i:end], "0.1") // not a valid coordinate either
			}
		}
		comma, i = -1, end
	}
	return text
}

// blank overwrites text with word, if it fits, and spaces.
func blank(text []byte, word string) {
	for i, c := range text {
		if c != '\n' { // keeps the line numbers
			text[i] = ' '
		}
	}
	copy(text, word)
}

// quotedEnd returns the end of the string that begins at text[i].
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

// nestedEnd returns the end of the array or object that begins at text[i].
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

// wordEnd returns the end of the number or word that begins at text[i].
func wordEnd(text []byte, i int) int {
	if n := bytes.IndexAny(text[i:], " \t\r\n,:\"[]{}"); n >= 0 {
		return i + n
	}
	return len(text)
}

// isHuge reports whether a word is a number too large for float64.
func isHuge(word []byte) bool {
	if len(bytes.Trim(word, "+-.0123456789eE")) > 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(word), 64)
	return errors.Is(err, strconv.ErrRange)
}
