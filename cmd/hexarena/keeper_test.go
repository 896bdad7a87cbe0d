package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// A server deletes the oldest recordings while it plays one match after another, also
// those of earlier runs.
func TestServeKeepsNewestRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recordings := func() []string {
		files, err := filepath.Glob(filepath.Join(dir, "*.hexarena"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	play := func(matches, keep string) {
		p := startServe(t, "--map", "pebble", "--fast", "--autostart", "--nb-players-max", "1", "--nb-visus-max", "0", "--nb-turns-max", "2",
			"--matches", matches, "--record", dir, "--keep-recordings", keep, "--json-logs")
		for range int(matches[0] - '0') {
			c := servertest.Login(t, p.addr, "a", "player")
			c.Expect("GAME_STARTS")
			c.Expect("TURN")
			c.Answer(0, "[]")
			c.Until("KICK")
			c.Close()
		}
		for line := range p.lines {
			if strings.Contains(line, `"level":"error"`) {
				t.Error(line)
			}
		}
		p.expectExit(0)
	}
	play("5", "all")
	if n := len(recordings()); n != 5 {
		t.Fatalf("%d recordings of 5 matches", n)
	}
	writeText(t, filepath.Join(dir, "mine.hexarena"), "mine")
	play("2", "3")
	names := strings.Join(recordings(), " ")
	if n := len(recordings()); n != 3 || !strings.Contains(names, "mine.hexarena") {
		t.Errorf("left are %s", names)
	}
	out, err := command(t, "serve", "--keep-recordings", "some").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte(`keep-recordings = "some"`)) {
		t.Errorf("%v: %s", err, out)
	}
	out, err = command(t, "play", "--keep-recordings", "1KiB").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte(`keep-recordings = "1KiB" (flag --keep-recordings): want all, or a number`)) {
		t.Errorf("%v: %s", err, out)
	}
}

// An answer that is recorded in part is shown with a mark.
func TestShowAbridgedAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startServe(t, "--map", "pebble", "--fast", "--autostart", "--nb-players-max", "1",
		"--nb-visus-max", "0", "--nb-turns-max", "2", "--record", dir)
	c := servertest.Login(t, p.addr, "a", "player")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	c.Answer(0, `["`+strings.Repeat("x", 9996)+`"]`)
	c.Until("KICK")
	c.Close()
	for range p.lines { // until it has ended
	}
	p.expectExit(0)
	files := recordingsIn(t, dir, 1)
	for _, tt := range []struct{ want, args string }{
		{"(it had 10000 bytes and no effect", "replay show --turn 0"},
		{`"sent_bytes":10000`, "replay export --format json"},
		{"2 turns, identical", "replay verify"},
	} {
		out, err := command(t, append(strings.Fields(tt.args), files[0])...).CombinedOutput()
		if err != nil || !bytes.Contains(bytes.ReplaceAll(out, []byte(": "), []byte(":")), []byte(strings.ReplaceAll(tt.want, ": ", ":"))) {
			t.Errorf("%s: %v\n%s", tt.args, err, out)
		}
	}
}
