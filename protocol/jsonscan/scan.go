package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// scan checks the value that starts at b[i] and returns where it ends.
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

// scanObject notes fields in what it is given, if that is anything.
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
		i++ // behind a backslash
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

// plainEnd is where the bytes end that stand for themselves in a string: at a
// quotation mark, a backslash, a control character or the end of b. It looks at
// eight bytes at a time. Of each comparison below, the lowest bit that is set is
// true, as subtraction borrows upwards only.
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
	exponent := 0 // how many digits it has
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
	// A number leaves float64 at 1e308: with an exponent of two digits, it takes more
	// than 200 digits before that.
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

// skip returns where the value that starts at b[i] ends. It is known to be one,
// as it was scanned before; of anything else, the end is i or anywhere behind it.
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

// isEnd are the bytes that end a number or a word.
var isEnd = [256]bool{',': true, ']': true, '}': true, ':': true, ' ': true, '\n': true, '\t': true, '\r': true}

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
