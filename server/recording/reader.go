package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
)

// Errors of files that cannot be read, or not to their end.
var (
	// ErrEmpty is the error for a file whose recorder was stopped before the match began.
	ErrEmpty = errors.New("it ends before the match begins")
	// ErrForeign is the error for a file that is not a recording.
	ErrForeign = errors.New("it is not a recording")
	// ErrVersion is the error for a recording of a newer program.
	ErrVersion = errors.New("its format is newer than this program")

	errNoFile = errors.New("it is not a regular file")
)

// DamageError is the error for a file with contents that no recorder wrote.
type DamageError struct {
	Step int // the last turn that can be read, or -1
	Err  error
}

func (e *DamageError) Error() string {
	if e.Step < 0 {
		return fmt.Sprintf("damaged before its first turn: %v", e.Err)
	}
	return fmt.Sprintf("damaged after %s: %v", match.NameShown(e.Step), e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

// Reader reads a recording from its beginning.
type Reader struct {
	header Header
	lines  *bufio.Reader
	zstd   *zstd.Decoder // nil: the lines are not compressed
	whole  bool          // the file was finished: it must not end early
	plain  int64         // bytes of all lines, if whole
	src    io.ReaderAt   // the file
	size   int64         // of the file
	to     int64         // where its lines or frames end
	read   int64         // bytes of lines read so far
	line   []byte
	step   int // the last turn read, -1 before the first
	turn   Turn
	end    *End
	cut    bool
	closer io.Closer
}

// Open opens a recording. Errors contain the path.
func Open(path string) (r *Reader, err error) {
	for range readAttempts {
		var opened fs.FileInfo
		r, opened, err = open(path)
		if !changed(path, opened, err) {
			break
		}
	}
	return r, err
}

// open opens a recording, and returns what the file was like before it was read.
func open(path string) (*Reader, fs.FileInfo, error) {
	// Check before opening, since opening a named pipe would block until it has a writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", path, errNoFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	var r *Reader
	info, err := f.Stat()
	if err == nil {
		r, err = NewReader(f, info.Size())
	}
	if err != nil {
		_ = f.Close()
		return nil, info, fmt.Errorf("%s: %w", path, err)
	}
	r.closer = f
	return r, info, nil
}

// Close frees the reader's resources.
func (r *Reader) Close() error {
	if r.zstd != nil {
		r.zstd.Close()
	}
	if r.closer != nil {
		return r.closer.Close()
	}
	return nil
}

var zstdMagic = []byte{0x28, 0xB5, 0x2F, 0xFD}

// readBuffer is the size of a reader's buffers. Those of a shorter recording are as long as it is,
// since a cup verifies thousands of them.
const readBuffer = 64 << 10

// NewReader returns a reader for a recording of size bytes.
func NewReader(src io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{step: -1, src: src, size: size, to: size}
	var magic [4]byte
	_, err := src.ReadAt(magic[:], 0)
	e, found, tableErr := findFrames(src, size)
	switch {
	case tableErr == errTable && isHex(magic[:]):
		found = false // the power failed while the footer was written: the lines are intact
	case tableErr != nil:
		return nil, &DamageError{-1, tableErr}
	}
	in := io.NewSectionReader(src, 0, size)
	switch {
	case found && e.plain > maxPlain(size):
		return nil, &DamageError{-1, r.errRatio()}
	case found:
		in = io.NewSectionReader(src, e.from, e.to-e.from)
		r.whole, r.plain, r.to = true, e.plain, e.to
	case err != nil && err != io.EOF:
		return nil, err
	case !isBeginning(magic[:min(size, int64(len(magic)))]):
		return nil, ErrForeign
	}
	r.lines = bufio.NewReaderSize(in, int(min(in.Size(), readBuffer)))
	if found || bytes.Equal(magic[:], zstdMagic) {
		if r.zstd, err = newDecoder(r.lines); err != nil {
			return nil, err
		}
		plain := int64(readBuffer)
		if found {
			plain = min(e.plain, plain)
		}
		r.lines = bufio.NewReaderSize(r.zstd, int(plain))
	}
	if err := r.readHeader(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// isBeginning reports whether a recording could begin with these bytes.
func isBeginning(b []byte) bool {
	return bytes.HasPrefix(zstdMagic, b) || isHex(b)
}

// isHex reports whether b has digits of a checksum only, with which a line begins.
func isHex(b []byte) bool { return len(bytes.Trim(b, "0123456789abcdef")) == 0 }

// newDecoder returns a decoder for r.
func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		// the output is not kept in memory
		zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderMaxMemory(1<<40))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return d, nil
}

func (r *Reader) readHeader() error {
	record, err := r.next()
	switch {
	case err == io.EOF:
		return ErrEmpty
	case err != nil && !r.whole && r.zstd == nil:
		return ErrForeign
	case err == nil:
		err = checkHeader(record)
	}
	if err != nil {
		return &DamageError{-1, err}
	}
	h := &r.header
	if err := json.Unmarshal(record, h); err != nil || h.Format == 0 {
		return ErrForeign
	}
	switch {
	case h.Format > formatVersion:
		return fmt.Errorf("%w: %d, and this program reads up to %d; use a newer hexarena", ErrVersion,
			h.Format, formatVersion)
	case h.Players < 0 || h.Specials < 0 || h.Players > maxPlayers || h.Specials > maxPlayers,
		len(h.Seats) != h.Players+h.Specials, len(h.Counts) > maxCounts, h.Turns < 0 ||
			h.Turns > maxTurns:
		return &DamageError{-1, errors.New("its numbers of players are inconsistent")}
	}
	return nil
}

// next returns the next record, or io.EOF at the end. If the match's end is missing, cut is set.
func (r *Reader) next() (jsonscan.Value, error) {
	r.line = r.line[:0]
	for {
		part, err := r.lines.ReadSlice('\n')
		r.line = append(r.line, part...)
		r.read += int64(len(part))
		if err := r.checkLimits(); err != nil {
			return nil, err
		}
		switch {
		case err == nil:
			return unwrap(r.line)
		case err == bufio.ErrBufferFull:
		case err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil, err
		case r.whole:
			return nil, errors.New("the rest is missing")
		default:
			r.cut = true
			return nil, io.EOF
		}
	}
}

// checkLimits returns an error if the lines read so far exceed a limit.
func (r *Reader) checkLimits() error {
	switch {
	case len(r.line) > maxLine:
		return fmt.Errorf("a line of more than %d MiB", maxLine>>20)
	case r.zstd == nil:
		return nil
	case int64(len(r.line)) > maxLineOf(r.size):
		return fmt.Errorf(
			"a line of more than %d bytes in a file of %d: not read, since no match compresses that well",
			maxLineOf(r.size), r.size)
	case r.read > maxPlain(r.size):
		return r.errRatio()
	}
	return nil
}

func (r *Reader) errRatio() error {
	return fmt.Errorf(
		"more than %d bytes of lines in a file of %d: not read, since no match compresses that well",
		maxPlain(r.size), r.size)
}

// unwrap returns the record in a line.
func unwrap(line []byte) (jsonscan.Value, error) {
	if len(line) <= lineHead || line[sumDigits] != ' ' {
		return nil, errors.New("a line has no checksum")
	}
	sum, err := strconv.ParseUint(string(line[:sumDigits]), 16, 32)
	if err != nil {
		return nil, errors.New("a line has no checksum")
	}
	record := line[lineHead : len(line)-1]
	if crc32.Checksum(record, castagnoli) != uint32(sum) {
		return nil, errors.New("a line does not match its checksum")
	}
	v, err := jsonscan.Parse(record)
	if err != nil || len(v) != len(record) || v.Kind() != jsonscan.Object {
		return nil, errors.New("a line is not a JSON object")
	}
	return v, nil
}

// Header returns the recording's header.
func (r *Reader) Header() *Header { return &r.header }

// End returns how the match ended. It is nil until Next has reached the end, and stays
// nil if the end is missing.
func (r *Reader) End() *End { return r.end }

// Step returns the number of the turn that was read last, or -1 before the first.
func (r *Reader) Step() int { return r.step }

// Next returns the next turn, beginning with the initial state. At the end, or where a
// file was truncated, the error is io.EOF; any other error is a [*DamageError].
func (r *Reader) Next() (*Turn, error) {
	if r.end != nil || r.cut {
		return nil, io.EOF
	}
	t, err := r.readTurn()
	if err != nil && err != io.EOF {
		err = &DamageError{r.step, err}
	}
	return t, err
}

func (r *Reader) readTurn() (*Turn, error) {
	record, err := r.next()
	if err != nil {
		return nil, err
	}
	for key, v := range record.Fields() {
		if key.Is("end") {
			return nil, r.readEnd(v)
		}
		break // a turn
	}
	if err := r.turn.parse(record, &r.header); err != nil {
		return nil, err
	}
	if r.turn.Step != r.step+1 {
		return nil, fmt.Errorf("step %d comes next", r.turn.Step)
	}
	r.step++
	return &r.turn, nil
}

// Turns returns an iterator over the turns that Next returns. An error comes last.
func (r *Reader) Turns() iter.Seq2[*Turn, error] { return turns(r.Next) }

func turns(next func() (*Turn, error)) iter.Seq2[*Turn, error] {
	return func(yield func(*Turn, error) bool) {
		for {
			t, err := next()
			if err == io.EOF || !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// readEnd reads the last record. Anything after it is ignored, since the process may have been
// killed while its lines were being compressed.
func (r *Reader) readEnd(v jsonscan.Value) error {
	end, err := parseEnd(v, len(r.header.Seats))
	if err != nil {
		return err
	}
	if end.Turns != r.step {
		return fmt.Errorf("its end names step %d as the last", end.Turns)
	}
	if r.whole {
		if _, err := r.lines.ReadByte(); err != io.EOF || r.read != r.plain {
			return errors.New("something follows its end")
		}
	}
	r.end = end
	return io.EOF
}
