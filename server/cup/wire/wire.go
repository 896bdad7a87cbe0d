// Package wire writes and reads the results that workers send, of which there is one for each match. A type lists its fields in one
// function for both directions, in a fixed order and without their names, since both sides have the same version of the program.
package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Wire is a text to which values are appended, or from which they are read.
type Wire struct {
	text  []byte // what was written, or is left to be read
	reads bool
	err   error
}

// Writer returns a wire that appends to a text.
func Writer(text []byte) *Wire { return &Wire{text: text} }

// Reader returns a wire that reads a text, which may be from anyone. After an error values keep what they have.
func Reader(text []byte) *Wire { return &Wire{text: text, reads: true} }

// Text returns what was written, or is left to be read.
func (w *Wire) Text() []byte { return w.text }

// Reads reports whether the wire is read.
func (w *Wire) Reads() bool { return w.reads }

// Err returns why a value could not be read.
func (w *Wire) Err() error { return w.err }

var errTruncated = errors.New("a value is truncated")

func (w *Wire) fail() { w.text, w.err = nil, errTruncated }

// Number writes or reads an integer of up to 64 bits.
func Number[T ~int | ~int64 | ~uint64](w *Wire, p *T) {
	if !w.reads {
		w.text = binary.AppendVarint(w.text, int64(*p))
		return
	}
	n, size := binary.Varint(w.text)
	if size <= 0 {
		w.fail()
		return
	}
	*p, w.text = T(n), w.text[size:]
}

// String writes or reads a text, which may have any bytes. If p has the text already, it keeps it.
func String(w *Wire, p *string) {
	if !w.reads {
		n := len(*p)
		Number(w, &n)
		w.text = append(w.text, *p...)
		return
	}
	if b := w.bytes(); string(b) != *p {
		*p = string(b)
	}
}

// Bytes writes or reads bytes. Those that are read are a copy; none are nil.
func Bytes(w *Wire, p *[]byte) {
	if !w.reads {
		n := len(*p)
		Number(w, &n)
		w.text = append(w.text, *p...)
		return
	}
	*p = bytes.Clone(w.bytes())
}

// bytes reads bytes.
func (w *Wire) bytes() []byte {
	n := 0
	Number(w, &n)
	if n < 0 || n > len(w.text) {
		w.fail()
		return nil
	}
	b := w.text[:n:n]
	w.text = w.text[n:]
	if n == 0 {
		return nil
	}
	return b
}

// allocated is how many elements a list has room for before any is read: as many as seats of most matches. A longer one grows as its elements
// arrive, so that a short text takes little memory, whatever length it claims.
const allocated = 8

// List writes or reads the elements of a list by a function. An empty list is read as nil.
func List[T any](w *Wire, p *[]T, element func(*Wire, *T)) {
	n := len(*p)
	Number(w, &n)
	if !w.reads {
		for i := range *p {
			element(w, &(*p)[i])
		}
		return
	}
	*p = nil
	if n <= 0 || w.err != nil {
		return
	}
	*p = make([]T, 0, min(n, allocated))
	for i := 0; i < n && w.err == nil; i++ {
		var e T
		element(w, &e)
		*p = append(*p, e)
	}
}
