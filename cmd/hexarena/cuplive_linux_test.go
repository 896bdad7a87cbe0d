package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// regionControls matches what a region of a terminal writes beside text: up a line, erase to the
// end, and colors.
var regionControls = regexp.MustCompile(`^\x1b\[(A|J|[0-9;]*m)`)

// screen returns the lines that a terminal shows in the end, which it does not scroll. A control
// that the test does not know is an error.
func screen(t *testing.T, shown string) []string {
	t.Helper()
	lines, row, column := [][]rune{nil}, 0, 0
	for shown != "" {
		if c := regionControls.FindString(shown); c != "" {
			switch c {
			case "\x1b[A":
				row--
			case "\x1b[J":
				lines = lines[:row+1]
				lines[row] = lines[row][:column]
			}
			shown = shown[len(c):]
			continue
		}
		r := []rune(shown)[0]
		shown = shown[len(string(r)):]
		switch {
		case r == '\r':
			column = 0
		case r == '\n':
			if row++; row == len(lines) {
				lines = append(lines, nil)
			}
		case r < ' ' || row < 0:
			t.Fatalf("row %d: %q before %q", row, r, shown)
		default:
			lines[row] = append(lines[row][:column], r)
			column++
		}
	}
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = string(line)
	}
	return text
}

// On a terminal a cup shows its standings as they form, in place, and leaves a clean screen. Ctrl-C
// prints the line that goes on.
func TestCupOnTerminal(t *testing.T) {
	thorough.Full(t)
	colors := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR="}
	for _, tt := range []struct {
		name          string
		columns, rows uint16
		env           []string
		shows, not    string
	}{
		{"wide", 100, 40, colors, "\x1b[A\x1b[A", ""},
		{"narrow", 24, 5, colors, "\x1b[A\x1b[A", "█"},
		{"no colours", 100, 40, []string{"TERM=xterm-256color", "NO_COLOR=1"}, "\x1b[A\x1b[A", "8;2;"},
		{"dumb terminal", 100, 40, []string{"TERM=dumb"}, "a second", "\x1b["},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			code, shown, restored := onTerminalOf(t, tt.columns, tt.rows, tt.env, tt.shows, "\x03",
				"cup", "random", "painter", "hunter", "--turns", "10", "--count", "1000000", "--jobs", "1", "--seed", "1", "--out", dir)
			if code != exitFailure || !restored {
				t.Errorf("exit code %d, terminal restored: %v", code, restored)
			}
			if tt.not != "" && strings.Contains(shown, tt.not) {
				t.Errorf("%q was shown: %q", tt.not, shown)
			}
			rest := screen(t, shown)
			i := slices.IndexFunc(rest,
				func(line string) bool { return strings.TrimPrefix(line, "^C") == "interrupted; to continue:" })
			if i < 0 || !strings.HasPrefix(rest[i+1], "  hexarena cup --count 1000000") {
				t.Fatalf("it leaves %q", rest)
			}
			live := slices.ContainsFunc(
				rest,
				func(line string) bool {
					return strings.Contains(line, "░") || strings.Contains(line,
						"/1000002")
				},
			)
			if live || !slices.ContainsFunc(rest[i+1:], func(line string) bool { return strings.Contains(line, "hunter") }) {
				t.Errorf("it leaves %q", rest)
			}
		})
	}
}
