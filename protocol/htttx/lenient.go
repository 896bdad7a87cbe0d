package htttx

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// parseFromBot is parseObject for what bots write: numbers that JSON does not have,
// or that no float64 holds, count as null. Python's json writes NaN and Infinity,
// mostly in evaluations; where a number is needed, null is a fault.
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

// notNumbers are the words that stand for numbers in the output of Python's and
// JavaScript's libraries. A longer word comes before one that it begins with.
var notNumbers = [][]byte{[]byte("-Infinity"), []byte("Infinity"), []byte("NaN")}

// nullNumbers returns a copy of a text in which null stands for what is no finite
// number; nil if there is nothing of the kind.
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

// token returns the length of what a text begins with, a string, a number, a word of
// notNumbers or another byte, and whether it stands for no finite number.
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

// stringLen returns the length of the string that a text begins with, quotes
// included.
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
