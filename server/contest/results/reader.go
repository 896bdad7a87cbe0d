package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a line, so that a damaged log does not fill the memory: a thousand seats take 60
// kB.
const maxLine = 1 << 18

// Reader reads the rows of a log, one by one, so that a log may be larger than the memory.
type Reader struct {
	lines  *bufio.Reader
	next   int
	offset int64
}

// NewReader returns a reader whose first row must be match k, which starts at the given offset of
// the log: both are 0 for a whole log, or those that [Reader.Next] and [Reader.Offset] returned
// earlier.
func NewReader(log io.Reader, k int, offset int64) *Reader {
	return &Reader{lines: bufio.NewReaderSize(log, maxLine), next: k, offset: offset}
}

// Next returns the number of the match that comes next.
func (r *Reader) Next() int { return r.next }

// Skip says that match k comes next, in a log that has only the matches of a shard.
func (r *Reader) Skip(k int) { r.next = k }

// Offset returns the offset of the log after the last row that was read. A contest that goes on
// cuts off what follows.
func (r *Reader) Offset() int64 { return r.offset }

// line returns the next line, which is valid until the next call. At the end it returns io.EOF; so
// it does for a last line without a line feed, which was being written when a contest was killed,
// and for a line with a zero: a loss of power leaves zeros for what was not synced, also before
// what was.
func (r *Reader) line() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	switch {
	case err == io.EOF, bytes.IndexByte(line, 0) >= 0:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("the line of match %d, at offset %d, has more than %d bytes", r.next,
			r.offset, maxLine)
	}
	return line, err
}

// Pass passes over the next row without reading what it says. At the end it returns io.EOF, as
// [Reader.Read] does.
func (r *Reader) Pass() error {
	line, err := r.line()
	if err == nil {
		r.next++
		r.offset += int64(len(line))
	}
	return err
}

// Read returns the next row, or io.EOF at the end. A line that is no row, or not the next match's,
// is an error.
func (r *Reader) Read() (*Row, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	row := new(Row)
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(row)
	if err == nil {
		err = row.check()
	}
	if err == nil && row.K != r.next {
		err = fmt.Errorf("it is of match %d", row.K)
	}
	if err != nil {
		return nil, fmt.Errorf("the line of match %d, at offset %d: %w", r.next, r.offset, err)
	}
	r.next++
	r.offset += int64(len(line))
	return row, nil
}
