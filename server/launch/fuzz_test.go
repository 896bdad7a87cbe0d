package launch

import (
	"slices"
	"testing"
)

// What a line splits into is the same when it is quoted and split again.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{`python3 my_bot.py`, `sh 'my bot' "and more"`, `a\ b "\""`, `C:\x\y.exe`, `"open`} {
		f.Add(line, true)
		f.Add(line, false)
	}
	f.Fuzz(func(t *testing.T, line string, escapes bool) {
		words, err := split(line, escapes)
		if err != nil {
			return
		}
		again, err := split(quoteAll(words, escapes), escapes)
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("split(%q) = %q, quoted and split again %q, %v", line, words, again, err)
		}
	})
}
