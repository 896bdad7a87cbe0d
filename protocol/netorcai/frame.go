package netorcai

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
)

// The largest content of a frame, in bytes, line feed included.
const (
	FirstLimit = 1<<10 - 1 // of a client's first message
	Limit      = 1<<24 - 1 // of every other message, in both directions
)

const (
	headerSize = 4
	// readStep is how much memory is allocated before the announced bytes arrive.
	readStep = 64 << 10
)

// ErrTooBig is returned by encoders if a message exceeds [Limit].
var ErrTooBig = errors.New("content too big: size does not fit in 24 bits")

// SizeError reports a frame whose header announces more than the receiver accepts. The
// connection is unusable then, because the content was not read.
type SizeError struct {
	Size  uint32 // announced size in bytes
	Limit int    // FirstLimit, Limit, or the receiver's own limit
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

// ReadError reports a connection that broke or ended, either between two frames, in which
// case Err is io.EOF, or inside one.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return "Remote endpoint closed? Read error: " + e.Err.Error() }

func (e *ReadError) Unwrap() error { return e.Err }

// noContent is an io.ErrUnexpectedEOF after a whole header. Its text is netorcai's.
type noContent struct{}

func (noContent) Error() string { return io.EOF.Error() }

func (noContent) Unwrap() error { return io.ErrUnexpectedEOF }

// ReadFrame reads one frame with at most limit bytes of content and returns the content,
// including its line feed if there is one. It reads in several steps, so r should be buffered.
//
// The content is stored in buf, or in a larger buffer if buf has no room; passing the result
// to the next call reuses the memory. Memory is allocated as bytes arrive, not as the header
// announces them. The error is a [*SizeError] or a [*ReadError].
func ReadFrame(r io.Reader, buf []byte, limit int) ([]byte, error) {
	return ReadFrameInto(r, buf, limit, func(buf []byte, n int) ([]byte, error) {
		return slices.Grow(buf, n), nil
	})
}

// Grow returns buf with room for n more bytes after its length. An error ends the reading of
// the frame.
type Grow func(buf []byte, n int) ([]byte, error)

// ReadFrameInto is [ReadFrame] for callers that account for memory: if buf has no room, it is
// grown by grow, whose errors are returned unchanged.
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
			switch {
			case err == io.EOF && have == 0:
				err = noContent{}
			case err == io.EOF:
				err = io.ErrUnexpectedEOF // inside a frame
			}
			return nil, &ReadError{err}
		}
	}
	return buf, nil
}

// BeginFrame appends space for the header of a frame. The caller then appends the content and
// calls [EndFrame] with the length that dst had before.
func BeginFrame(dst []byte) []byte {
	return append(dst, make([]byte, headerSize)...)
}

// EndFrame completes the frame that begins at dst[start]: it appends the line feed and fills in
// the header. If the content is too large, it returns dst[:start] and [ErrTooBig].
func EndFrame(dst []byte, start int) ([]byte, error) {
	dst = append(dst, '\n')
	size := len(dst) - start - headerSize
	if size > Limit {
		return dst[:start], ErrTooBig
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst, nil
}

// endSmall is EndFrame for content that cannot be too large.
func endSmall(dst []byte, start int) []byte {
	dst, _ = EndFrame(dst, start)
	return dst
}
