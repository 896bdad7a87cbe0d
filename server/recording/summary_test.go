package recording

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// counting is a file that counts the bytes that are read.
type counting struct {
	*bytes.Reader
	read int64
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.read += int64(n)
	return n, err
}

// unpacked returns the lines of a finished recording.
func unpacked(t testing.TB, file []byte) []byte {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	e, _, _ := findFrames(r.src, r.size)
	lines, err := r.decode(file[e.from:e.to])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// summarizeSlowly reads a whole file and returns what the summary must be.
func summarizeSlowly(file []byte) (turns int, end, ok bool) {
	r, err := NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return 0, false, false
	}
	defer r.Close()
	for err == nil {
		_, err = r.Next()
	}
	return max(0, r.Step()), r.End() != nil, err == io.EOF
}

// The summary has the scores after the last turn, whether the file was finished or not, and however
// many turns it has.
func TestSummaryScores(t *testing.T) {
	thorough.Long(t)
	for turns := 0; turns < 2*frameTurns+3; turns += thorough.Size(6, 1) {
		lines, frames := small(turns).files(t)
		// the last one without its end
		for _, file := range [][]byte{lines, frames, lines[:len(lines)-1]} {
			r, err := NewReader(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			got := r.Summary().Scores
			var want []int64
			for turn, err := range r.Turns() {
				if err != nil {
					t.Fatal(err)
				}
				want = want[:0]
				for of := range slices.Chunk(turn.Tally, len(r.header.Counts)) {
					want = append(want, of[0])
				}
			}
			if !slices.Equal(got, want) || turns > 0 && len(got) == 0 {
				t.Errorf("%d turns: scores %v, want %v", turns, got, want)
			}
			_ = r.Close()
		}
	}
}

// Wherever a file is truncated, the summary agrees with reading all of it.
func TestSummary(t *testing.T) {
	thorough.Long(t)
	m := small(200)
	m.debugs = true
	lines, frames := m.files(t)
	over := unpacked(t, frames)
	check := func(what string, file []byte) {
		t.Helper()
		turns, end, ok := summarizeSlowly(file)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		defer r.Close()
		s := r.Summary()
		if !ok && s.Damage == nil {
			t.Errorf("%s is damaged, and the summary does not say so", what)
		}
		if ok && (s.Turns != turns || (s.End != nil) != end || s.Damage != nil) {
			t.Errorf("%s: %d turns, end %v, damage %v; want %d turns and end %v", what, s.Turns, s.End,
				s.Damage, turns, end)
		}
		if s.Header.Turns != 200 {
			t.Errorf("%s: header %+v", what, s.Header)
		}
	}
	check("lines", lines)
	check("frames", frames)
	for i := 1; i < 150; i += thorough.Size(4, 1) {
		check("a part of the lines", lines[:len(lines)*i/150])
		check("a part of the frames", frames[:len(frames)*i/150])
		check("all lines and a part of the frames",
			append(bytes.Clone(over), frames[:len(frames)*i/150]...))
	}
	check("all lines", over)
	check("all lines and the frames", append(bytes.Clone(over), frames...))
	for cut := 1; cut < 40; cut++ {
		check("lines without their end", lines[:len(lines)-cut])
		check("frames without their end", frames[:len(frames)-cut])
	}
	bad := bytes.Clone(lines)
	bad[len(bad)-30] ^= 1
	check("lines with a changed end", bad)
}

// Lines that span several frames, as those of game logics with large states, are found.
func TestSummaryOfLongLines(t *testing.T) {
	thorough.Long(t)
	header := `{"hexarena_recording":1,"rules":"external","players":0,"specials":0,"turns":9,"seats":[],"counts":[]}`
	long := `{"turn":1,"x":` + much("12345", 3<<20) + `}`
	for _, records := range [][]string{
		{header, `{"turn":0}`, long, `{"end":{"turns":1}}`},
		{header, `{"turn":0}`, `{"end":{"turns":1,"x":` + much("12345", 3<<20) + `}}`},
	} {
		file := packRecords(t, records...)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Summary(); s.Turns != 1 || s.End == nil || s.Damage != nil {
			t.Errorf("summary %+v, want one turn and the end", s)
		}
		r.Close()
	}
}

// A summary reads no more of a long match than of a short one.
func TestSummaryReadsNoWholeFile(t *testing.T) {
	thorough.Full(t)
	m := small(5000)
	m.debugs = true
	lines, frames := m.files(t)
	for _, test := range []struct {
		what string
		file []byte
		most int64
	}{
		{"lines", lines, 200 << 10},
		{"frames", frames, 200 << 10},
		{"frames without their table", frames[:len(frames)-20], 200 << 10},
		{"frames with a table of nonsense", binary.LittleEndian.AppendUint32(
			append(bytes.Clone(frames), 255, 255, 255, 0, 0), seekableMagic), 1 << 10},
	} {
		src := &counting{Reader: bytes.NewReader(test.file)}
		r, err := NewReader(src, int64(len(test.file)))
		if err == nil {
			r.Summary()
			r.Close()
		}
		if src.read > test.most || int64(len(test.file)) < 2*test.most && test.most > 1<<10 {
			t.Errorf("%s: %d of %d bytes are read, want at most %d", test.what, src.read, len(test.file),
				test.most)
		}
	}
}
