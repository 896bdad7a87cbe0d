package netorcai

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
)

// The largest contents of a frame, in bytes, the line feed included.
const (
	FirstLimit = 1<<10 - 1 // of the first message that a client sends
	Limit      = 1<<24 - 1 // of every other message, either way
)

const (
	headerSize = 4
	// readStep is how much memory a peer gets on its word alone.
	readStep = 64 << 10
)

// ErrTooBig is what encoders return for a message that exceeds [Limit].
var ErrTooBig = errors.New("content too big: size does not fit in 24 bits")

// SizeError is a frame whose header announces more than the receiver takes.
// The connection is of no further use: the content was not read.
type SizeError struct {
	Size  uint32 // announced, in bytes
	Limit int    // FirstLimit, Limit, or what the receiver has set
}

func (e *SizeError) Error() string {
	which := ""
	if e.Limit == FirstLimit {
		which = " of first message"
	}
	most := fmt.Sprintf("more than %d bytes", e.Limit)
	if n := bits.Len(uint(e.Limit)); e.Limit == 1<<n-1 {
		most = fmt.Sprintf("%d does not fit in %d bits", e.Size, n)
	}
	return fmt.Sprintf("Received message size%s is too big: %s", which, most)
}

// ReadError is a connection that broke or ended, be it between two frames (Err
// is io.EOF then) or inside one.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return "Remote endpoint closed? Read error: " + e.Err.Error() }

func (e *ReadError) Unwrap() error { return e.Err }

// ReadFrame reads one frame of at most limit bytes of content and returns the
// content, with its line feed if it has one. It reads two or more times, so r
// is best buffered.
//
// The content lies in buf, or in a larger buffer when buf has no room: hand the
// result back in to use the memory again. Memory grows as bytes arrive, never
// on the word of the header. The error is a [*SizeError] or a [*ReadError].
func ReadFrame(r io.Reader, buf []byte, limit int) ([]byte, error) {
	return ReadFrameInto(r, buf, limit, func(buf []byte, n int) ([]byte, error) { return slices.Grow(buf, n), nil })
}

// Grow returns buf with room for n more bytes behind its length. Its error ends the
// reading of a frame.
type Grow func(buf []byte, n int) ([]byte, error)

// ReadFrameInto is [ReadFrame] for a caller that accounts for the memory: all that buf
// has no room for comes from grow, whose errors are returned as they are.
func ReadFrameInto(r io.Reader, buf []byte, limit int, grow Grow) ([]byte, error) {
	buf, err := grow(buf[:0], headerSize)
	if err != nil {
		return nil, err
	}
	buf = buf[:headerSize]
	if _, err := io.ReadFull(r, buf); err != nil {
		return nil, &ReadError{err}
	}
	size := binary.LittleEndian.Uint32(buf)
	if uint64(size) > uint64(limit) {
		return nil, &SizeError{Size: size, Limit: limit}
	}
	buf = buf[:0]
	for left := int(size); left > 0; left = int(size) - len(buf) {
		have := len(buf)
		step := min(left, max(readStep, have, cap(buf)-have))
		if buf, err = grow(buf, step); err != nil {
			return nil, err
		}
		buf = buf[:have+step]
		if _, err := io.ReadFull(r, buf[have:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF // the frame had begun
			}
			return nil, &ReadError{err}
		}
	}
	return buf, nil
}

// BeginFrame appends room for the header of a frame. The content is to be
// appended next, and [EndFrame] called with the length that dst had before.
func BeginFrame(dst []byte) []byte {
	return append(dst, make([]byte, headerSize)...)
}

// EndFrame completes the frame that begins at dst[start]: it appends the line
// feed and fills in the header. When the content is too large it returns
// dst[:start] and [ErrTooBig].
func EndFrame(dst []byte, start int) ([]byte, error) {
	dst = append(dst, '\n')
	size := len(dst) - start - headerSize
	if size > Limit {
		return dst[:start], ErrTooBig
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst, nil
}

// endSmall is EndFrame for contents that cannot be too large.
func endSmall(dst []byte, start int) []byte {
	dst, _ = EndFrame(dst, start)
	return dst
}
