package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// TestRows plays the cups in testdata/rows.txt and compares their rows and exports with those of
// the file, and so it does for events of 64acf433.
func TestRows(t *testing.T) {
	thorough.Full(t)
	if runtime.GOOS == "windows" {
		t.Skip("paths have other separators")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/lines")); err != nil {
		t.Fatal(err)
	}
	golden, err := filepath.Abs("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("HOME", dir)
	cups := 0
	compareTranscript(t, golden, func(line string) string {
		cups++
		return rowsAndExports(t, line, fmt.Sprintf("%d", cups))
	})
}

// rowsAndExports plays the cup of a command line in a folder, or takes that of a cup or an event
// that the line is, and returns the exit code, the rows of the log, and the digests of the files
// that are exported.
func rowsAndExports(t *testing.T, line, dir string) string {
	t.Helper()
	args, code := strings.Fields(line), 0
	if len(args) == 1 {
		dir = args[0]
	} else {
		code, _, _ = hexarena(append([]string{"cup", "--jobs=1", "--out=" + dir}, args...)...)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
	if err != nil && !os.IsNotExist(err) { // that of an event without matches
		t.Fatal(err)
	}
	text := fmt.Sprintln("=", code) + marked(">", maskTimes(string(log)))
	if code, _, stderr := hexarena("cup", "export", dir, "--out="+dir+"/site", "--replays=0"); code != 0 {
		return text + marked("!", stderr)
	}
	files, err := os.ReadDir(filepath.Join(dir, "site"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		// The page is in the HTML. A player of hexagonal tic-tac-toe answers in the other's turns as
		// well, and how many of these answers count depends on when they come.
		if f.IsDir() || filepath.Ext(f.Name()) == ".html" ||
			strings.Contains(line, "hextictactoe") && strings.HasPrefix(f.Name(), "standings.") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, "site", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("! %s %.8x\n", f.Name(), sha256.Sum256([]byte(maskTimes(string(content)))))
	}
	return text
}
