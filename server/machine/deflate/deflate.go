// Package deflate compresses the messages of a connection, each with those before it as its
// context: a state differs little from the one before. A message is compressed as by
// permessage-deflate of RFC 7692: as a deflate stream that is flushed after each message, without
// the four bytes 00 00 ff ff that end every flush. The libraries for WebSockets keep no context
// (gorilla), or only at the fastest level (nhooyr): a TURN of 9 000 bytes takes 1 600 and 1 400
// bytes with these, and 400 here.
package deflate

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"
)

// Protocol is the subprotocol of a WebSocket whose binary messages are compressed texts.
const Protocol = "netorcai.deflate"

const (
	// level finds what a state has in common with the one before it. Lower levels look only for the
	// newest place where four bytes occurred, which in a list of cells is the cell before, and
	// produce half as much again or more; the highest takes four times as long for a fifth less.
	level = 8
	// windowSize is how far back a compressed message refers, the most that deflate can.
	windowSize = 32 << 10
	// flushEnd is what every flush ends with.
	flushEnd = "\x00\x00\xff\xff"
	// streamEnd is an empty last block, which makes a reader of deflate return io.EOF after a message.
	streamEnd = "\x01\x00\x00\xff\xff"
)

// Writer compresses messages. It takes about 1 MB from its first message on.
type Writer struct {
	stream *flate.Writer // nil before the first message
	out    bytes.Buffer
}

// Compress returns the compressed form of the next message, which is valid until the next call.
func (w *Writer) Compress(message []byte) ([]byte, error) {
	if w.stream == nil {
		stream, err := flate.NewWriter(&w.out, level)
		if err != nil {
			return nil, err
		}
		w.stream = stream
	}
	w.out.Reset()
	if _, err := w.stream.Write(message); err != nil {
		return nil, err
	}
	if err := w.stream.Flush(); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(w.out.Bytes(), []byte(flushEnd)), nil
}

// Begun reports whether a message was compressed.
func (w *Writer) Begun() bool { return w.stream != nil }

// Reader restores the messages of a [Writer]. It takes about 80 kB from its first message on.
type Reader struct {
	stream io.ReadCloser // nil before the first message
	window []byte        // the end of the messages so far
}

// Open returns a reader of the next message, whose compressed form is read from r. It has to be
// read to its end before the next one is opened. It returns io.EOF at the end of the message, and
// another error if r has no compressed message.
func (r *Reader) Open(compressed io.Reader) (io.Reader, error) {
	in := io.MultiReader(compressed, bytes.NewReader([]byte(flushEnd+streamEnd)))
	if r.stream == nil {
		r.stream = flate.NewReader(in)
		return (*message)(r), nil
	}
	if err := r.stream.(flate.Resetter).Reset(in, r.window); err != nil {
		return nil, err
	}
	return (*message)(r), nil
}

// message is the reader of one message, which it adds to the window.
type message Reader

func (m *message) Read(p []byte) (int, error) {
	n, err := m.stream.Read(p)
	m.window = append(m.window, p[:n]...)
	if excess := len(m.window) - windowSize; excess > 0 {
		m.window = append(m.window[:0], m.window[excess:]...)
	}
	return n, err
}
