//go:build unix

// The golden file has the paths of Unix.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// TestLines runs the command lines in testdata/lines.txt in order, in one folder with a copy of
// testdata/lines, and compares their exit codes and output with those of the file.
func TestLines(t *testing.T) {
	thorough.Long(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/lines")); err != nil {
		t.Fatal(err)
	}
	golden, err := filepath.Abs("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("HOME", dir)
	compareTranscript(t, golden, lineOutput)
}

// lineOutput runs a command line and returns its exit code and its output: that on standard
// output after ">", that on standard error after "!".
func lineOutput(line string) string {
	code, stdout, stderr := hexarena(strings.Fields(line)...)
	return fmt.Sprintln("=", code) + marked(">", maskTimes(stdout)) + marked("!", maskTimes(stderr))
}

var (
	// which are told if they are large
	lag      = regexp.MustCompile(`\n\n?Lag of hexarena itself, .*\n|\n *"lag": \{[^}]*\},?\n`)
	duration = regexp.MustCompile(`\b\d+(\.\d+)? (ns|µs|ms|s)\b`)
	spaces   = regexp.MustCompile(` {2,}`)
	masks    = []struct {
		of *regexp.Regexp
		by string
	}{
		// Slow machines report the progress.
		{regexp.MustCompile(`(?m)^.*\b(turn|state|match) \d+ of \d+\n|^.*[\d.]+ a second.*\n`), ""},
		{regexp.MustCompile(`\b\d+ match(es)? at once`), "matches at once"},
		{regexp.MustCompile(`\b20\d\d-?\d\d-?\d\d[-T ]\d\d:?\d\d(:?\d\d)?([.]\d+)?Z?\b`), "TIME"},
		{regexp.MustCompile(`(TIME-\w+-\d+)-\d+([.]hexarena)`), "$1$2"}, // of matches within a second
		{regexp.MustCompile(`("\w*_(?:us|ms|seconds)"|"p50"|"p99"|"max")(: ?)-?[\d.]+`), "${1}${2}0"},
		{regexp.MustCompile(`(\d[.]\d{6})\d+`), "$1"}, // whose last digits processors may round otherwise
		{regexp.MustCompile(`\bgo1\.[\w.]+ for \w+/\w+`), "GO"},
	}
)

// maskTimes replaces in an output what differs from run to run. A table with durations loses
// its alignment, since that follows from them.
func maskTimes(text string) string {
	text = lag.ReplaceAllString(text, "\n")
	if duration.MatchString(text) {
		text = spaces.ReplaceAllString(duration.ReplaceAllString(text, "DURATION"), "  ")
	}
	for _, m := range masks {
		text = m.of.ReplaceAllString(text, m.by)
	}
	return text
}
