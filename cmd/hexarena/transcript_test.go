package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// compareTranscript compares a golden file with the answers that its requests get now. A request
// is a line that begins with "$ ", and its answer the lines below that begin with another mark.
// Comments and empty lines stay as they are.
func compareTranscript(t *testing.T, golden string, answer func(request string) string) {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for line := range strings.Lines(string(text)) {
		request, isRequest := strings.CutPrefix(line, "$ ")
		switch {
		case isRequest:
			got.WriteString(line + answer(strings.TrimSpace(request)))
		case line[0] == '#' || line == "\n":
			got.WriteString(line)
		}
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	request := ""
	was, is := strings.SplitAfter(string(text), "\n"), strings.SplitAfter(got.String(), "\n")
	for i := range max(len(was), len(is)) {
		a, b := "the end", "the end"
		if i < len(was) {
			a = was[i]
		}
		if i < len(is) {
			b = is[i]
		}
		if strings.HasPrefix(a, "$ ") {
			request = a
		}
		if a != b {
			t.Errorf("%s:%d: %s\n%s\nwant\n%s\n-update writes the file", golden, i+1, request, b, a)
			return
		}
	}
}

// marked returns the lines of a text after a mark. Long ones, such as one with the state of a
// board, end with their digest, so that differences can be read.
func marked(mark, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if len(l) > 1000 {
			l = fmt.Sprintf("%.300s… %x", l, sha256.Sum256([]byte(l)))
		}
		b.WriteString(strings.TrimRight(mark+" "+l, " \r\n") + "\n")
	}
	return b.String()
}
