package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// verify reports truncated recordings and what it has verified.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	play := command(t, "play", "--http=", "--port", "0", "--turns", "100", "--record", dir,
		"painter", "random")
	if out, err := play.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	files := recordingsIn(t, dir, 1)
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte{}, whole...)
	damaged[len(damaged)/2] ^= 0xff
	for name, file := range map[string][]byte{
		"whole": whole, "half": whole[:len(whole)/2], "head": whole[:50], "empty": nil,
		"damaged": damaged, "foreign": []byte("{}"),
	} {
		writeText(t, filepath.Join(dir, name), string(file))
	}
	const noTurn = "truncated before the match began: no turn is there"
	for _, test := range []struct {
		args string
		code int
		says string // a regular expression
	}{
		{"whole", 0, "^whole: 100 turns, identical\n\nThis shows that the rules .*\n.* It does not " +
			"prove who gave these answers, or when"},
		{"--whole whole", 0, "^whole: 100 turns, identical\n"},
		{"half", 5, "^half: truncated: [1-9][0-9] of 100 turns are there; they agree\n\nThis shows"},
		{"--whole half", 1, "^half: truncated: [1-9][0-9] of 100 turns are there; they agree\n"},
		{"head", 5, "^head: " + noTurn},
		{"empty", 5, "^empty: " + noTurn},
		{"--whole empty", 1, "^empty: " + noTurn},
		{"whole half", 5, "^whole: 100 turns, identical\nhalf: truncated: "},
		{"half damaged", 1, "^half: truncated: .*\ndamaged: identical up to turn [0-9]+, then damaged " +
			"after turn "},
		{"damaged half", 1, "^damaged: .*\nhalf: truncated: "},
		{"damaged", 1, "^damaged: identical up to .*; take another copy of the file, if there is one\n$"},
		{"foreign", 1, "^foreign: it is not a recording\n$"},
	} {
		cmd := command(t, append([]string{"replay", "verify"}, strings.Fields(test.args)...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if code != test.code || !regexp.MustCompile(test.says).Match(out) {
			t.Errorf("verify %s: exit code %d, %q; want %d, %s", test.args, code, out, test.code, test.says)
		}
	}
}
