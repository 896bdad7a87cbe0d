package recording

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Why a file cannot be read, or not to its end.
var (
	// ErrEmpty is a file whose recorder was stopped before it had begun.
	ErrEmpty = errors.New("it ends before the match begins")
	// ErrForeign is a file that is no recording.
	ErrForeign = errors.New("it is not a recording")
	// ErrVersion is a recording of a later program.
	ErrVersion = errors.New("its format is newer than this program")

	errNoFile = errors.New("it is not a file")
)

// DamageError says that a file holds what no recorder wrote.
type DamageError struct {
	Step int // the last turn that can be read; -1: none
	Err  error
}

func (e *DamageError) Error() string {
	if e.Step < 0 {
		return fmt.Sprintf("damaged before its first turn: %v", e.Err)
	}
	return fmt.Sprintf("damaged after turn %d: %v", e.Step, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

// Reader reads a recording from its beginning.
type Reader struct {
	header Header
	lines  *bufio.Reader
	zstd   *zstd.Decoder // nil: the lines are not compressed
	whole  bool          // the file has been finished: it must not end early
	left   int64         // bytes of lines that are to come, if it is whole
	src    io.ReaderAt   // the file
	size   int64         // of the file
	read   int64         // bytes of lines
	line   []byte
	step   int // the last one read, -1 before the first
	turn   Turn
	end    *End
	cut    bool
	closer io.Closer
}

// Open opens the recording in a file. The error names it.
func Open(path string) (*Reader, error) {
	// Before it is opened, since a named pipe would wait for its writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNoFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := openFile(f)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.closer = f
	return r, nil
}

func openFile(f *os.File) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return NewReader(f, info.Size())
}

// Close frees what the reader holds.
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

// NewReader reads a recording of size bytes.
func NewReader(src io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{step: -1, src: src, size: size}
	e, found, err := findFrames(src, size)
	if err != nil {
		return nil, &DamageError{-1, err}
	}
	in := io.NewSectionReader(src, 0, size)
	var magic [4]byte
	_, err = src.ReadAt(magic[:], 0)
	switch {
	case found && e.plain > mostPlain(size):
		return nil, &DamageError{-1, r.errRatio()}
	case found:
		in = io.NewSectionReader(src, e.from, e.to-e.from)
		r.whole, r.left = true, e.plain
	case err != nil && err != io.EOF:
		return nil, err
	case !isBeginning(magic[:min(size, int64(len(magic)))]):
		return nil, ErrForeign
	}
	r.lines = bufio.NewReaderSize(in, 64<<10)
	if found || bytes.Equal(magic[:], zstdMagic) {
		err := r.unpack()
		if err != nil {
			return nil, err
		}
	}
	if err := r.readHeader(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// isBeginning says whether a recording could begin with these few bytes.
func isBeginning(b []byte) bool {
	if bytes.HasPrefix(zstdMagic, b) {
		return true
	}
	return !slices.ContainsFunc(b, func(c byte) bool { return !isDigit(c) })
}

// isDigit says whether c is a hexadecimal digit as lines have them.
func isDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// unpack has the lines decompressed.
func (r *Reader) unpack() error {
	d, err := newDecoder(r.lines)
	if err != nil {
		return err
	}
	r.zstd = d
	r.lines = bufio.NewReaderSize(d, 64<<10)
	return nil
}

// newDecoder decompresses what comes from r.
func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderMaxMemory(1<<40)) // what comes out is not kept
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
	case err != nil:
		return err
	}
	if err := checkHeader(record); err != nil {
		return &DamageError{-1, err}
	}
	h := &r.header
	if err := json.Unmarshal(record, h); err != nil || h.Format == 0 {
		return ErrForeign
	}
	switch {
	case h.Format > formatVersion:
		return fmt.Errorf("%w: %d, and this program reads up to %d; take a newer hexarena", ErrVersion, h.Format, formatVersion)
	case h.Players < 0 || h.Specials < 0 || h.Players > maxPlayers || h.Specials > maxPlayers,
		len(h.Seats) != h.Players+h.Specials, len(h.Counts) > maxCounts, h.Turns < 0 || h.Turns > maxTurns:
		return &DamageError{-1, errors.New("what it says of its players makes no sense")}
	}
	return nil
}

// next is the next record, io.EOF at the end. When there is no end, cut is set.
func (r *Reader) next() (jsonscan.Value, error) {
	r.line = r.line[:0]
	for {
		part, err := r.lines.ReadSlice('\n')
		r.line = append(r.line, part...)
		r.read += int64(len(part))
		if bound := r.exceeded(); bound != nil {
			return nil, &DamageError{r.step, bound}
		}
		switch {
		case err == nil:
			r.left -= int64(len(r.line))
			record, err := unwrap(r.line)
			if err != nil {
				return nil, &DamageError{r.step, err}
			}
			return record, nil
		case err == bufio.ErrBufferFull:
		case err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil, &DamageError{r.step, err}
		case r.whole:
			return nil, &DamageError{r.step, errors.New("what should follow is missing")}
		default:
			r.cut = true
			return nil, io.EOF
		}
	}
}

// exceeded returns the bound that the lines read so far exceed, if any.
func (r *Reader) exceeded() error {
	switch {
	case len(r.line) > maxLine:
		return fmt.Errorf("a line of more than %d MiB", maxLine>>20)
	case r.zstd == nil:
		return nil
	case int64(len(r.line)) > mostLine(r.size):
		return fmt.Errorf("a line of more than %d bytes in a file of %d: it is not read, since it was hardly a match", mostLine(r.size), r.size)
	case r.read > mostPlain(r.size):
		return r.errRatio()
	}
	return nil
}

func (r *Reader) errRatio() error {
	return fmt.Errorf("more than %d bytes of lines in a file of %d: it is not read, since it was hardly a match", mostPlain(r.size), r.size)
}

// unwrap takes the record out of a line.
func unwrap(line []byte) (jsonscan.Value, error) {
	var sum [4]byte
	if len(line) <= lineHead || line[sumDigits] != ' ' {
		return nil, errors.New("a line has no checksum")
	}
	if _, err := hex.Decode(sum[:], line[:sumDigits]); err != nil {
		return nil, errors.New("a line has no checksum")
	}
	record := line[lineHead : len(line)-1]
	if got := crc32.Checksum(record, castagnoli); got != uint32(sum[0])<<24|uint32(sum[1])<<16|uint32(sum[2])<<8|uint32(sum[3]) {
		return nil, errors.New("a line does not match its checksum")
	}
	v, err := jsonscan.Parse(record)
	if err != nil || len(v) != len(record) || v.Kind() != jsonscan.Object {
		return nil, errors.New("a line is not a JSON object")
	}
	return v, nil
}

// Header is what the recording says about the match as a whole.
func (r *Reader) Header() *Header { return &r.header }

// End is how the match ended. It is nil until Next has come to it, and that of a
// file that was cut stays so.
func (r *Reader) End() *End { return r.end }

// Step is the number of the turn that was read last, -1 before the first.
func (r *Reader) Step() int { return r.step }

// Next is the next turn, the first one being the board as it was set. It is
// io.EOF when there are no more, be it that the file was cut; else the error is
// a [*DamageError].
func (r *Reader) Next() (*Turn, error) {
	if r.end != nil || r.cut {
		return nil, io.EOF
	}
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
		return nil, &DamageError{r.step, err}
	}
	if r.turn.Step != r.step+1 {
		return nil, &DamageError{r.step, fmt.Errorf("turn %d comes next", r.turn.Step)}
	}
	r.step++
	return &r.turn, nil
}

// Turns are those that Next has, up to the end. An error comes with the last.
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

// readEnd reads the last record; what follows it is of no interest in a file
// whose lines were just being compressed.
func (r *Reader) readEnd(v jsonscan.Value) error {
	var end End
	if err := checkEnd(v, len(r.header.Seats)); err != nil {
		return &DamageError{r.step, err}
	}
	if err := json.Unmarshal(v, &end); err != nil {
		return &DamageError{r.step, err}
	}
	if end.Turns != r.step {
		return &DamageError{r.step, fmt.Errorf("it says that it ends with turn %d", end.Turns)}
	}
	for _, o := range end.Printed {
		if o.Player < 0 || int(o.Player) >= len(r.header.Seats) {
			return &DamageError{r.step, fmt.Errorf("printed: there is no player %d", o.Player)}
		}
	}
	if r.whole {
		if _, err := r.lines.ReadByte(); err != io.EOF || r.left != 0 {
			return &DamageError{r.step, errors.New("something follows its end")}
		}
	}
	r.end = &end
	return io.EOF
}
