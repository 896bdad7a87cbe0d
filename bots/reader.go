package bots

import "github.com/hexarena/hexarena/protocol/jsonscan"

// reader reads a JSON text from front to back, once and without allocating. It relies on
// the text having been checked when it was received: it detects only the errors that
// concern it. After an error, bad is set and nothing more is found.
//
// An object is read by
//
//	for r.open('{'); r.more('}'); {
//		switch string(r.key()) { … }
//	}
//
// and an array likewise, without keys. Each iteration must read or skip one value.
type reader struct {
	text []byte
	at   int
	bad  bool

	colorAt, colorEnd int // position of the last cell's colour
}

// peek returns the next byte that is not white space, 0 at the end.
func (r *reader) peek() byte {
	for r.at < len(r.text) {
		if c := r.text[r.at]; c > ' ' {
			return c
		}
		r.at++
	}
	return 0
}

func (r *reader) open(bracket byte) {
	if r.peek() != bracket {
		r.fail()
		return
	}
	r.at++
}

// more skips a comma or the closing bracket. It returns false at the closing bracket and
// after an error.
func (r *reader) more(bracket byte) bool {
	c := r.peek()
	if c == ',' {
		r.at++
		c = r.peek()
	}
	switch c {
	case bracket:
		r.at++
		return false
	case 0:
		r.fail()
	}
	return !r.bad
}

// key returns the name of a field. It is part of the text unless it has escapes.
func (r *reader) key() []byte {
	r.peek()
	key, plain := r.str()
	if r.peek() != ':' || len(key) < 2 {
		r.fail()
		return nil
	}
	r.at++
	if !plain {
		return []byte(jsonscan.Value(key).Text())
	}
	return key[1 : len(key)-1]
}

// str returns a string with its quotes; plain reports that it has no escapes.
func (r *reader) str() (text []byte, plain bool) {
	start := r.at
	if start >= len(r.text) || r.text[start] != '"' {
		r.fail()
		return nil, false
	}
	plain = true
	for i := start + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			plain = false
			i++
		case '"':
			r.at = i + 1
			return r.text[start:r.at], plain
		}
	}
	r.fail()
	return nil, false
}

// int returns a number with an integral value of 32 bits.
func (r *reader) int() int32 {
	r.peek()
	start := r.at
	n := int32(0)
	for r.at < len(r.text) && isDigit(r.text[r.at]) && r.at < start+9 {
		n = n*10 + int32(r.text[r.at]-'0')
		r.at++
	}
	if r.at > start && r.at < len(r.text) && !isNumeric(r.text[r.at]) {
		return n
	}
	for r.at < len(r.text) && isNumeric(r.text[r.at]) {
		r.at++
	}
	n, ok := jsonscan.Value(r.text[start:r.at]).Int32()
	if !ok {
		r.fail()
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNumeric(c byte) bool {
	return isDigit(c) || c == '-' || c == '+' || c == '.' || c|0x20 == 'e'
}

func (r *reader) bool() bool {
	r.peek()
	for _, word := range [...]string{"true", "false"} {
		if end := r.at + len(word); end <= len(r.text) && string(r.text[r.at:end]) == word {
			r.at = end
			return word == "true"
		}
	}
	r.fail()
	return false
}

// skip skips a value of any kind.
func (r *reader) skip() {
	depth := 0
	for {
		switch c := r.peek(); c {
		case 0:
			r.fail()
			return
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case '"':
			r.str()
		case ',', ':':
			r.at++
			continue
		default:
			r.word()
		}
		if depth <= 0 || r.bad {
			return
		}
	}
}

// word skips a number, true, false or null.
func (r *reader) word() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ',', ':', '{', '}', '[', ']', '"', ' ', '\t', '\n', '\r':
			return
		}
		r.at++
	}
}

// fail ends the reading.
func (r *reader) fail() {
	if !r.bad {
		r.bad = true
		r.text = r.text[:r.at:r.at]
	}
}
