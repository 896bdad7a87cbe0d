package netorcai

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// AppendPlain appends a JSON value in the notation that incomplete parsers read as well, such as
// those of clients in C++ and D: numbers as float64 values (2.0 and 2e0 as 2), strings as valid
// Unicode, no white space, and of fields with the same key the last one only. It is the value that
// encoding/json would write after decoding v; fields keep their order.
//
// AppendPlain calls pause, unless that is nil, each time it has read plainStep bytes of v.
func AppendPlain(dst []byte, v jsonscan.Value, pause func()) []byte {
	w := plainWriters.Get().(*plainWriter)
	w.out, w.open, w.keys, w.expect = dst, w.open[:0], w.keys[:0], false
	next := plainStep
	for i := 0; i < len(v); {
		i = w.token(v, i)
		if i >= next && pause != nil {
			pause()
			next = i + plainStep
		}
	}
	dst, w.out = w.out, nil
	if cap(w.keys) <= maxKept { // drop is no longer
		plainWriters.Put(w)
	}
	return dst
}

// plainWriters holds writers that are not in use, so that the actions of a turn are written without
// allocation. Those whose keys took more memory than maxKept, for one large state, are not kept.
var plainWriters = sync.Pool{New: func() any { return new(plainWriter) }}

const maxKept = 1 << 12

// plainStep is the number of bytes between pauses: much less than a millisecond's work.
const plainStep = 64 << 10

// plainWriter writes a value token by token, without recursion: in valid text, a token is
// recognized by its first byte.
type plainWriter struct {
	out    []byte
	open   []int      // for each open object the index in keys of its first key, for an array noKeys
	keys   []fieldKey // of all open objects, the outermost first
	expect bool       // the next string is a key
	drop   []bool     // memory for repeated
}

const noKeys = -1

// fieldKey is where in the output a field begins and where its key ends.
type fieldKey struct{ start, end int }

// token writes the token at v[i] and returns its end.
func (w *plainWriter) token(v jsonscan.Value, i int) (end int) {
	end = i + 1
	switch c := v[i]; c {
	case ' ', '\t', '\n', '\r':
	case '"':
		end = stringEnd(v, i)
		start := len(w.out)
		w.out = appendPlainString(w.out, v[i:end])
		if w.expect {
			w.keys = append(w.keys, fieldKey{start, len(w.out)})
			w.expect = false
		}
	case '{', '[':
		w.out = append(w.out, c)
		w.expect = c == '{'
		first := noKeys
		if w.expect {
			first = len(w.keys)
		}
		w.open = append(w.open, first)
	case '}', ']':
		w.close()
		w.out = append(w.out, c)
	case ',':
		w.out = append(w.out, c)
		w.expect = len(w.open) > 0 && w.open[len(w.open)-1] != noKeys
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		for end < len(v) && strings.IndexByte("+-.0123456789Ee", v[end]) >= 0 {
			end++
		}
		w.out = appendPlainNumber(w.out, v[i:end])
	default:
		w.out = append(w.out, c)
	}
	return end
}

// close ends the innermost object or array, and drops the fields of an object that are repeated
// later.
func (w *plainWriter) close() {
	w.expect = false
	if len(w.open) == 0 { // malformed text
		return
	}
	first := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	if first == noKeys {
		return
	}
	fields := w.keys[first:]
	w.keys = w.keys[:first]
	repeated := w.repeated(fields)
	if repeated == nil {
		return
	}
	end := len(w.out)
	w.out = w.out[:fields[0].start]
	for i, f := range fields {
		next := end + 1 // as if a comma followed
		if i+1 < len(fields) {
			next = fields[i+1].start
		}
		if !repeated[i] {
			w.out = append(w.out, w.out[f.start:next-1:end]...) // moves it down
			w.out = append(w.out, ',')
		}
	}
	w.out = w.out[:len(w.out)-1] // the last field is never dropped
}

// fewKeys is the number of keys up to which comparing each with each is faster than sorting them.
const fewKeys = 16

// repeated returns which fields have the key of a later one, or nil if none has.
func (w *plainWriter) repeated(fields []fieldKey) (list []bool) {
	note := func(i int) {
		if list == nil {
			w.drop = slices.Grow(w.drop[:0], len(fields))[:len(fields)]
			list = w.drop
			clear(list)
		}
		list[i] = true
	}
	if len(fields) <= fewKeys {
		for i := range fields {
			for j := i + 1; j < len(fields); j++ {
				if bytes.Equal(w.key(fields[i]), w.key(fields[j])) {
					note(i)
				}
			}
		}
		return list
	}
	order := make([]int32, len(fields)) // a message has less than 1<<24 bytes
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(bytes.Compare(w.key(fields[a]), w.key(fields[b])), cmp.Compare(a, b))
	})
	for n := range len(order) - 1 {
		if bytes.Equal(w.key(fields[order[n]]), w.key(fields[order[n+1]])) {
			note(int(order[n]))
		}
	}
	return list
}

func (w *plainWriter) key(f fieldKey) []byte { return w.out[f.start:f.end] }

// stringEnd returns the end of the string that starts at v[i].
func stringEnd(v jsonscan.Value, i int) int {
	for i++; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(v)
}

// appendPlainString also rewrites strings with escapes, which may hold half of a surrogate
// pair.
func appendPlainString(dst []byte, s jsonscan.Value) []byte {
	if bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := 1; i < len(s)-1; {
		r, size := utf8.DecodeRune(s[i : len(s)-1])
		if r == '\\' {
			r, size = unescape(s[i : len(s)-1])
		}
		dst = appendRune(dst, r)
		i += size
	}
	return append(dst, '"')
}

// unescape returns the character that an escape sequence at the beginning of text stands for, and
// the length of the sequence, which is one of two for a pair of surrogates. Half of a pair is
// U+FFFD.
func unescape(text []byte) (r rune, size int) {
	const escape, pair = len(`\u0000`), len(`\ud800\udc00`)
	switch {
	case len(text) < 2:
		return utf8.RuneError, len(text)
	case text[1] != 'u':
		if i := strings.IndexByte("bfnrt", text[1]); i >= 0 {
			return rune("\b\f\n\r\t"[i]), 2
		}
		return rune(text[1]), 2
	case len(text) < escape:
		return utf8.RuneError, len(text)
	}
	r = hexRune(text[2:escape])
	if !utf16.IsSurrogate(r) {
		return r, escape
	}
	if len(text) >= pair && text[escape] == '\\' && text[escape+1] == 'u' {
		if whole := utf16.DecodeRune(r, hexRune(text[escape+2:pair])); whole != utf8.RuneError {
			return whole, pair
		}
	}
	return utf8.RuneError, escape
}

// hexRune returns the character with a number in hexadecimal digits.
func hexRune(digits []byte) (r rune) {
	for _, c := range digits {
		digit := rune(c - '0')
		if c > '9' {
			digit = rune(c|0x20) - 'a' + 10
		}
		r = r<<4 + digit
	}
	return r
}

func appendPlainNumber(dst []byte, n jsonscan.Value) []byte {
	const exact = 15 // float64 represents all integers of 15 digits
	if len(n) <= exact && !bytes.ContainsAny(n, ".eE") {
		return append(dst, n...)
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return append(dst, n...)
	}
	return appendFloat(dst, f)
}
