package recording

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Summary is what the beginning and the end of a file say about a recording.
type Summary struct {
	Header *Header
	Turns  int   // number of turns, as far as the file tells
	End    *End  // nil if it is missing
	Damage error // nil if no damage was found
}

// Summary reads the end of the file, independently of the reader's position. It reads only
// what the last line takes and, in a compressed file that was truncated, the headers of its
// blocks.
func (r *Reader) Summary() Summary {
	s := Summary{Header: &r.header}
	var last []byte
	last, s.Damage = r.lastLine()
	if s.Damage == nil && last != nil {
		s.Damage = s.parse(last)
	}
	if s.Damage == nil && s.End == nil && r.whole {
		s.Damage = errors.New("its end is missing")
	}
	return s
}

// parse parses the last line. In a file without turns it is the header.
func (s *Summary) parse(line []byte) error {
	record, err := unwrap(line)
	if err != nil {
		return err
	}
	for key, v := range record.Fields() {
		switch {
		case key.Is("end"):
			return s.parseEnd(v)
		case key.Is("turn"):
			var p parser
			s.Turns = int(p.int(key, v, 0, maxTurns))
			return p.err
		}
	}
	return nil
}

func (s *Summary) parseEnd(v jsonscan.Value) error {
	if err := checkEnd(v, len(s.Header.Seats)); err != nil {
		return err
	}
	var end End
	if err := json.Unmarshal(v, &end); err != nil {
		return err
	}
	s.End, s.Turns = &end, end.Turns
	return nil
}

// lastLine returns the last complete line, or nil if there is none.
func (r *Reader) lastLine() ([]byte, error) {
	if r.zstd == nil {
		return r.lastPlain()
	}
	starts, end, err := r.lastFrames()
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(starts); i = 2*i + 1 { // rarely more than once
		text, err := r.decode(starts[i], end)
		if err != nil {
			return nil, err
		}
		if line := lastOf(text); line != nil {
			return line, nil
		}
	}
	return nil, nil
}

// lastOf returns the last complete line in text, or nil if there is none. The text may
// begin in the middle of a line.
func lastOf(text []byte) []byte {
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return nil
	}
	start := bytes.LastIndexByte(text[:end], '\n') + 1
	if start == 0 && !isLine(text[:end+1]) {
		return nil
	}
	return text[start : end+1]
}

func isLine(line []byte) bool {
	_, err := unwrap(line)
	return err == nil
}

// searchSize is the number of bytes at the end of a file in which the last line is searched
// if the program was killed while it compressed the lines.
const searchSize = 1 << 20

// lastPlain is lastLine for lines that are not compressed. The end of a match may be
// followed by a part of its frames.
func (r *Reader) lastPlain() ([]byte, error) {
	for n := int64(64 << 10); ; n *= 4 {
		n = min(n, r.size, maxLine)
		tail := make([]byte, n)
		if _, err := r.src.ReadAt(tail, r.size-n); err != nil && err != io.EOF {
			return nil, err
		}
		line := lastOf(tail)
		switch {
		case line != nil && isLine(line):
			return line, nil
		case line != nil || n == maxLine || n == r.size:
			return beforeFrames(tail, line), nil
		}
		if n >= searchSize {
			if found := beforeFrames(tail, nil); found != nil {
				return found, nil
			}
		}
	}
}

// beforeFrames returns the last line before the frames that begin in tail, or otherwise if
// there is none.
func beforeFrames(tail, otherwise []byte) []byte {
	for at := 0; ; {
		i := bytes.Index(tail[at:], append([]byte{'\n'}, zstdMagic...))
		if i < 0 {
			return otherwise
		}
		at += i + 1
		if line := lastOf(tail[:at]); line != nil && isLine(line) {
			return line
		}
	}
}

// lastFrames returns where the last frames begin, the last one first, and where they end.
func (r *Reader) lastFrames() (starts []int64, end int64, err error) {
	if !r.whole {
		starts, err = r.walk()
		return starts, r.size, err
	}
	// A line cannot span more frames than this.
	const limit = int64(maxLine/framePlain + 2)
	e, _, err := findFrames(r.src, r.size)
	if err != nil {
		return nil, 0, err
	}
	n := min((r.size-e.to-seekHeader-seekFooter)/8, limit)
	table := make([]byte, 8*n)
	if _, err := r.src.ReadAt(table, r.size-seekFooter-8*n); err != nil {
		return nil, 0, err
	}
	at := e.to
	for ; n > 0; n-- {
		at -= int64(binary.LittleEndian.Uint32(table[8*(n-1):]))
		starts = append(starts, at)
	}
	return starts, e.to, nil
}

// walk finds the last frames of a file without a table by reading the headers of its blocks.
func (r *Reader) walk() (starts []int64, err error) {
	const (
		limit  = 4       // frames to return; the last ones may contain no complete line
		blocks = 1 << 16 // blocks to look at: more than a match has
	)
	var head [zstd.HeaderMaxSize]byte
	seen := 0
	for at := int64(0); at < r.size && seen < blocks; seen++ {
		n, err := r.src.ReadAt(head[:], at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		var h zstd.Header
		if h.Decode(head[:n]) != nil || h.Skippable {
			break
		}
		starts = append([]int64{at}, starts[:min(len(starts), limit-1)]...)
		at += int64(h.HeaderSize)
		for last := false; !last && at < r.size && seen < blocks; seen++ {
			var block [3]byte
			if _, err := r.src.ReadAt(block[:], at); err != nil {
				return starts, nil // the file was truncated here
			}
			bits := int64(block[0]) | int64(block[1])<<8 | int64(block[2])<<16
			last = bits&1 != 0
			size := bits >> 3
			if bits>>1&3 == 1 { // one repeated byte
				size = 1
			}
			at += int64(len(block)) + size
		}
		if h.HasCheckSum {
			at += 4
		}
	}
	return starts, nil
}

// decode returns the lines of frames, up to where the file was truncated.
func (r *Reader) decode(start, end int64) ([]byte, error) {
	d, err := newDecoder(io.NewSectionReader(r.src, start, end-start))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	limit := maxLineOf(r.size) + 2*framePlain
	text, err := io.ReadAll(io.LimitReader(d, limit+1))
	switch {
	case int64(len(text)) > limit:
		return nil, r.errRatio()
	case err != nil && !(errors.Is(err, io.ErrUnexpectedEOF) && !r.whole):
		return nil, err
	}
	return text, nil
}
