package recording

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// Summary is what the beginning and the end of a file say about a recording.
type Summary struct {
	Header *Header
	Turns  int  // number of turns, as far as the file tells
	End    *End // nil if it is missing
	// Scores are the first counts of the players after the last turn, by id; nil if they were not
	// found.
	Scores []int64
	Damage error // nil if no damage was found
}

// Summary reads the end of the file, independently of the reader's position. It reads only
// what the last two lines take and, in a compressed file that was truncated, the headers of its
// blocks.
func (r *Reader) Summary() Summary {
	s := Summary{Header: &r.header}
	var turn, last []byte
	turn, last, s.Damage = r.lastLines()
	if s.Damage == nil && last != nil {
		s.Damage = s.parse(last)
	}
	if s.Damage == nil && turn != nil {
		s.score(turn)
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
			if s.End, err = parseEnd(v, len(s.Header.Seats)); err == nil {
				s.Turns = s.End.Turns
			}
			return err
		case key.Is("turn"):
			var p parser
			s.Turns = int(p.int(key, v, 0, maxTurns))
			return p.err
		}
	}
	return nil
}

// score takes the scores from the line of a turn.
func (s *Summary) score(line []byte) {
	var t Turn
	record, err := unwrap(line)
	counts := len(s.Header.Counts)
	if err != nil || counts == 0 || t.parse(record, s.Header) != nil {
		return // reading the turns tells what is wrong
	}
	for of := range slices.Chunk(t.Tally, counts) {
		s.Scores = append(s.Scores, of[0])
	}
}

// searchSize is the number of bytes at the end of a file in which the last line is searched
// if something else follows it: the program was killed while it compressed the lines, or the
// file is damaged.
const searchSize = 1 << 20

// lastLines returns the last complete line, and that of the last turn, which may be the same; nil
// if not found. It looks at more and more of the end of the file until it has found them.
func (r *Reader) lastLines() (turn, line []byte, err error) {
	for n := int64(64 << 10); ; n *= 4 {
		n = min(n, r.to, maxLine)
		tail := make([]byte, n)
		if _, err := r.src.ReadAt(tail, r.to-n); err != nil && err != io.EOF {
			return nil, nil, err
		}
		if r.zstd == nil {
			line = lastPlain(tail)
			turn = turnBefore(tail, line)
		} else {
			turn, line, err = r.lastPacked(tail)
		}
		odd := err != nil || line != nil && !isLine(line)
		found := line != nil && !odd && (turn != nil || n >= searchSize)
		if found || odd && n >= searchSize || n == r.to || n == maxLine {
			return turn, line, err
		}
	}
}

// turnBefore returns the last line in text up to a line in it that is the line of a turn, or nil.
func turnBefore(text, line []byte) []byte {
	if line == nil || !isEnd(line) {
		return line
	}
	return lastOf(text[:cap(text)-cap(line)]) // line is a part of text
}

// isEnd reports whether a line says how a match ended.
func isEnd(line []byte) bool {
	record, err := unwrap(line)
	if err != nil {
		return false
	}
	for key := range record.Fields() {
		if key.Is("end") {
			return true
		}
	}
	return false
}

// lastOf returns the last complete line in text, or nil if not found. The text may
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

// lastPlain returns the last line in text, which may be followed by a part of the frames.
func lastPlain(text []byte) []byte {
	line := lastOf(text)
	if line == nil || isLine(line) {
		return line
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], append([]byte{'\n'}, zstdMagic...))
		if i < 0 {
			return line
		}
		at += i + 1
		if before := lastOf(text[:at]); before != nil && isLine(before) {
			return before
		}
	}
}

// lastPacked returns the last line in the frames in data, which may begin in the middle of one, and
// that of the last turn.
func (r *Reader) lastPacked(data []byte) (turn, line []byte, err error) {
	var starts []int // where frames begin, the last one first
	for at := bytes.LastIndex(data, zstdMagic); at >= 0; at = bytes.LastIndex(data[:at], zstdMagic) {
		starts = append(starts, at)
	}
	for i := 0; i < len(starts); i = 2*i + 1 { // rarely more than once
		var text []byte
		if text, err = r.decode(data[starts[i]:]); err != nil {
			continue // perhaps no frame begins here
		}
		if found := lastOf(text); found != nil {
			if line, turn = found, turnBefore(text, found); turn != nil {
				break
			}
		}
	}
	if line != nil {
		return turn, line, nil
	}
	return nil, nil, err
}

// decode returns the lines of frames, up to where the file was truncated.
func (r *Reader) decode(frames []byte) ([]byte, error) {
	d, err := newDecoder(bytes.NewReader(frames))
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
