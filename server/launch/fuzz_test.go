package launch

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Quoting the words of a line and splitting them again yields the same words.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{
		`python3 my_bot.py`, `sh 'my bot' "and more"`, `a\ b "\""`, `C:\x\y.exe`, `"open`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := Split(line)
		if err != nil {
			return
		}
		again, err := Split(Quote(words))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("Split(%q) = %q, quoted and split again %q, %v", line, words, again, err)
		}
	})
}

// For any output, in any pieces, the lines are the same, printable and bounded.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\x1b[31mthree\xff"), uint8(5))
	f.Add([]byte("\n\n\n\n\n\n\n\n\n\n\n\n\t"), uint8(1))
	f.Add(bytes.Repeat([]byte("long \u2028"), lineLimit), uint8(100))
	f.Fuzz(func(t *testing.T, printed []byte, piece uint8) {
		var whole, told []string
		o := Output{tell: func(line string) { whole = append(whole, line) }}
		o.remember(printed)
		tail := o.Lines()
		o.end()
		cut := Output{tell: func(line string) { told = append(told, line) }}
		for p := range slices.Chunk(printed, int(piece)+1) {
			cut.remember(p)
		}
		if again := cut.Lines(); !slices.Equal(again, tail) || len(tail) > tellingLines {
			t.Errorf("Tail of %q is %q, and of its pieces %q", printed, tail, again)
		}
		if cut.end(); !slices.Equal(told, whole) || len(whole) > bytes.Count(printed, []byte("\n"))+1 {
			t.Errorf("the lines of %q are %q, and of its pieces %q", printed, whole, told)
		}
		for _, line := range whole {
			steers := func(r rune) bool { return !unicode.IsPrint(r) }
			if len(line) > 3*lineLimit || strings.ContainsFunc(line, steers) {
				t.Errorf("a line of %q is %q", printed, line)
			}
		}
	})
}
