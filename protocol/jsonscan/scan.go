package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// scan checks the value that starts at b[i] and returns its end.
func scan(b []byte, i, depth int) (end int, err error) {
	if i >= len(b) {
		return i, ErrSyntax
	}
	switch c := b[i]; c {
	case '"':
		return scanString(b, i)
	case '{':
		return scanObject(b, i, depth+1, nil)
	case '[':
		return scanArray(b, i, depth+1)
	case 't':
		return scanWord(b, i, "true")
	case 'f':
		return scanWord(b, i, "false")
	case 'n':
		return scanWord(b, i, "null")
	default:
		return scanNumber(b, i)
	}
}

func scanArray(b []byte, i, depth int) (int, error) {
	if depth > MaxDepth {
		return i, ErrDepth
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		var err error
		if i, err = scan(b, i, depth); err != nil {
			return i, err
		}
		if i = skipSpace(b, i); i >= len(b) {
			return i, ErrSyntax
		}
		switch b[i] {
		case ']':
			return i + 1, nil
		case ',':
			i = skipSpace(b, i+1)
		default:
			return i, ErrSyntax
		}
	}
}

// scanObject checks an object and stores its fields in to, unless to is nil.
func scanObject(b []byte, i, depth int, to *selection) (int, error) {
	if depth > MaxDepth {
		return i, ErrDepth
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return i, ErrSyntax
		}
		var err error
		key := i
		if i, err = scanString(b, i); err != nil {
			return i, err
		}
		keyEnd := i
		if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
			return i, ErrSyntax
		}
		value := skipSpace(b, i+1)
		if i, err = scan(b, value, depth); err != nil {
			return i, err
		}
		if to != nil {
			to.note(b[key:keyEnd], b[value:i])
		}
		if i = skipSpace(b, i); i >= len(b) {
			return i, ErrSyntax
		}
		switch b[i] {
		case '}':
			return i + 1, nil
		case ',':
			i = skipSpace(b, i+1)
		default:
			return i, ErrSyntax
		}
	}
}

func scanString(b []byte, i int) (int, error) {
	for i = plainEnd(b, i+1); i < len(b); i = plainEnd(b, i+1) {
		switch c := b[i]; {
		case c == '"':
			return i + 1, nil
		case c < ' ':
			return i, ErrSyntax
		}
		i++ // the character after a backslash
		if i >= len(b) {
			return i, ErrSyntax
		}
		if b[i] == 'u' {
			if i+4 >= len(b) || !allHex(b[i+1:i+5]) {
				return i, ErrSyntax
			}
			i += 4
		} else if bytes.IndexByte([]byte(`"\/bfnrt`), b[i]) < 0 {
			return i, ErrSyntax
		}
	}
	return i, ErrSyntax
}

// plainEnd returns the index of the first byte of a string that does not stand for itself:
// a quotation mark, a backslash, a control character or the end of b. It examines eight
// bytes at a time. In each of the comparisons below, only the lowest bit set is reliable,
// because subtraction borrows upwards; it is the one that is used.
func plainEnd(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, backslash := w^'"'*ones, w^'\\'*ones
		found := ((w-' '*ones)&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

func allHex(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func scanWord(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, ErrSyntax
	}
	return i + len(word), nil
}

func scanNumber(b []byte, start int) (int, error) {
	i := start
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b) || !isDigit(b[i]):
		return i, ErrSyntax
	case b[i] == '0':
		i++
	default:
		i = skipDigits(b, i)
	}
	exponent := 0 // its number of digits
	if i < len(b) && b[i] == '.' {
		fraction := i + 1
		if i = skipDigits(b, fraction); i == fraction {
			return i, ErrSyntax
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		digits := i
		if i = skipDigits(b, digits); i == digits {
			return i, ErrSyntax
		}
		exponent = i - digits
	}
	// float64 ends near 1e308: with an exponent of at most two digits, a larger number
	// has more than 200 digits.
	if exponent > 2 || i-start > 200 {
		if _, err := strconv.ParseFloat(string(b[start:i]), 64); err != nil {
			return i, ErrNumber
		}
	}
	return i, nil
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skip returns the end of the value that starts at b[i], which must have been scanned. For
// anything else it returns i or a later index.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	for i < len(b) && !isEnd[b[i]] {
		i++
	}
	return i
}

// isEnd holds the bytes that end a number or a word.
var isEnd = [256]bool{
	',': true, ']': true, '}': true, ':': true, ' ': true, '\n': true, '\t': true, '\r': true,
}

func skipString(b []byte, i int) int {
	for i = plainEnd(b, i+1); i < len(b); i = plainEnd(b, i+1) {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
}

func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}
