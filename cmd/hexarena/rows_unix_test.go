//go:build unix

// The golden file has the paths of Unix.

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// TestRows plays the cups in testdata/rows.txt and compares their rows and exports with those of
// the file, and so it does for events of 64acf433. A cup that was killed while it wrote a row goes
// on to the same log.
func TestRows(t *testing.T) {
	thorough.Full(t)
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
	if len(args) > 1 {
		checkGoesOn(t, args, dir, log)
	}
	text := fmt.Sprintln("=", code) + marked(">", maskTimes(string(log)))
	export := []string{"cup", "export", dir, "--out=" + dir + "/site", "--replays=0"}
	if code, _, stderr := hexarena(export...); code != 0 {
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
		content := readText(t, filepath.Join(dir, "site", f.Name()))
		text += fmt.Sprintf("! %s %.8x\n", f.Name(), sha256.Sum256([]byte(maskTimes(content))))
	}
	return text
}

// checkGoesOn kills a cup in the middle of rows of its log, and has the same command go on.
func checkGoesOn(t *testing.T, args []string, dir string, log []byte) {
	t.Helper()
	const most = 8 // cuts of a cup, so that a long one takes no more time than others
	lines := bytes.SplitAfter(log, []byte("\n"))
	step, end := (len(lines)+most-1)/most, 0
	for i, line := range lines {
		cut := end + len(line)/2
		end += len(line)
		if i%step != 0 {
			continue
		}
		killed := fmt.Sprintf("%s-%d", dir, i)
		if err := os.Mkdir(killed, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"plan.json", "origin.json", "shard.json"} {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil {
				writeText(t, filepath.Join(killed, name), string(content))
			} else if name != "shard.json" || !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		writeText(t, filepath.Join(killed, "log.ndjson"), string(log[:cut]))
		_, _, stderr := hexarena(append([]string{"cup", "--jobs=1", "--out=" + killed}, args...)...)
		got, err := os.ReadFile(filepath.Join(killed, "log.ndjson"))
		if err != nil || !bytes.Equal(got, log) {
			t.Errorf("%s, killed in row %d: the log is another one, %v\n%s", args, i, err, stderr)
		}
	}
}

// An event that was killed while it wrote an act is opened and shown as it was before the act.
func TestActsKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const old = "testdata/lines/old/event"
	acts := []byte(readText(t, old+"/acts/log.ndjson"))
	rowLines := bytes.SplitAfter([]byte(readText(t, old+"/log.ndjson")), []byte("\n"))
	played := len(rowLines) - 1 // before the act that is torn: as many as the next round begins after
	lines := bytes.SplitAfter(acts, []byte("\n"))
	lines = lines[:len(lines)-1]
	for i, line := range slices.Backward(lines) {
		var act struct {
			Act   string
			First int
		}
		if err := json.Unmarshal(line, &act); err != nil {
			t.Fatal(err)
		}
		if act.Act == "round" {
			played = act.First
		}
		before := bytes.Join(lines[:i], nil)
		var shown [2]string
		for torn, text := range [][]byte{before, append(before, line[:len(line)/2]...)} {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(old)); err != nil {
				t.Fatal(err)
			}
			writeText(t, dir+"/acts/log.ndjson", string(text))
			writeText(t, dir+"/log.ndjson", string(bytes.Join(rowLines[:played], nil)))
			view, err := json.Marshal(folded(t, dir).View)
			if err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := hexarena("cup", "show", "--json", dir)
			shown[torn] = fmt.Sprintf("exit code %d\n%s\n%s%s", code, view, stdout, stderr)
		}
		if shown[0] != shown[1] || !strings.HasPrefix(shown[0], "exit code 0") {
			t.Errorf("killed in act %d, %s:\n%s\nwant\n%s", i, line, shown[1], shown[0])
		}
	}
}
