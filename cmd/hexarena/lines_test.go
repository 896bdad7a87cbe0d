package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestLines runs the command lines in testdata/lines.txt in order, in one folder with a copy of
// testdata/lines, and compares their exit codes and output with those of the file.
func TestLines(t *testing.T) {
	thorough.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("paths have other separators")
	}
	golden, err := filepath.Abs("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/lines")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("HOME", dir)
	var got bytes.Buffer
	for line := range strings.Lines(string(want)) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case isCommand:
			got.WriteString(line + lineOutput(command))
		case line[0] == '#' || line == "\n":
			got.WriteString(line)
		}
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if n, a, b := firstDifference(got.String(), string(want)); n > 0 {
		t.Errorf("line %d of testdata/lines.txt, which -update writes:\n%s\nwant\n%s", n, a, b)
	}
}

// lineOutput runs a command line and returns its exit code and its output: that on standard
// output after ">", that on standard error after "!".
func lineOutput(line string) string {
	code, stdout, stderr := hexarena(strings.Fields(line)...)
	var b strings.Builder
	fmt.Fprintln(&b, "=", code)
	for _, stream := range []struct{ mark, text string }{{">", stdout}, {"!", stderr}} {
		for l := range strings.Lines(maskTimes(stream.text)) {
			b.WriteString(strings.TrimRight(stream.mark+" "+shortened(l), " \r\n") + "\n")
		}
	}
	return b.String()
}

var (
	lag      = regexp.MustCompile(`\n\n?Lag of hexarena itself, .*\n`) // which is told if it is large
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
		{regexp.MustCompile(`("\w*_(?:us|ms|seconds)"|"p50"|"p99"|"max")(: ?)[\d.]+`), "${1}${2}0"},
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

// shortened returns the beginning of a long line, such as one with the state of a board, and its
// digest, so that a difference can be read.
func shortened(line string) string {
	if len(line) <= 300 {
		return line
	}
	return fmt.Sprintf("%.200s… %x", line, sha256.Sum256([]byte(line)))
}

// firstDifference returns the number of the first line in which two texts differ, and these
// lines; 0 if the texts are equal.
func firstDifference(a, b string) (number int, inA, inB string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		inA, inB := "the end", "the end"
		if i < len(as) {
			inA = as[i]
		}
		if i < len(bs) {
			inB = bs[i]
		}
		if inA != inB {
			return i + 1, inA, inB
		}
	}
	return 0, "", ""
}
