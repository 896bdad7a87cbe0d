package htttx

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// parseFromBot is parseObject for messages of bots: numbers that are not JSON, or too large
// for a float64, count as null. Python's json writes NaN and Infinity, mostly in
// evaluations; where a number is required, null is a fault.
func parseFromBot(data []byte) (jsonscan.Value, error) {
	v, err := parseObject(data)
	if err == nil {
		return v, nil
	}
	if other := nullNumbers(data); other != nil {
		if v, err := parseObject(other); err == nil {
			return v, nil
		}
	}
	return nil, err
}

// notNumbers lists the words that Python's and JavaScript's libraries write for such
// numbers. A word comes before its prefixes.
var notNumbers = [][]byte{[]byte("-Infinity"), []byte("Infinity"), []byte("NaN")}

// nullNumbers returns a copy of a text with null in place of everything that is not a
// finite number; nil if there is nothing to replace.
func nullNumbers(data []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(data); {
		n, odd := token(data[i:])
		if odd {
			out = append(append(out, data[copied:i]...), "null"...)
			copied = i + n
		}
		i += n
	}
	if out == nil {
		return nil
	}
	return append(out, data[copied:]...)
}

// token returns the length of the token that data begins with (a string, a number, a word
// of notNumbers, or any other byte) and reports whether it is not a finite number.
func token(data []byte) (n int, odd bool) {
	switch c := data[0]; {
	case c == '"':
		return stringLen(data), false
	case c == 'N', c == 'I', c == '-', '0' <= c && c <= '9':
	default:
		return 1, false
	}
	for _, word := range notNumbers {
		if bytes.HasPrefix(data, word) {
			return len(word), true
		}
	}
	for n < len(data) && bytes.IndexByte([]byte("+-.eE0123456789"), data[n]) >= 0 {
		n++
	}
	if n == 0 {
		return 1, false
	}
	_, err := strconv.ParseFloat(string(data[:n]), 64)
	return n, errors.Is(err, strconv.ErrRange)
}

// stringLen returns the length of the string that data begins with, quotes included.
func stringLen(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
