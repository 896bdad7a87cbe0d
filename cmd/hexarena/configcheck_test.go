package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// config --check refuses what serve refuses, for the same reason, and nothing else.
func TestConfigCheck(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	l := servertest.Listen(t)
	taken := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	writeText(t, file, "nonsense\n")
	free := strconv.Itoa(freePort(t))
	for _, tt := range []struct {
		flags string
		says  string // empty: no error
	}{
		{"--port " + free, ""},
		{"--port " + taken, ""},
		{"--port " + taken + " --http 127.0.0.1:" + taken + " --health 127.0.0.1:" + taken, ""},
		{"--port x", `port = "x" (flag --port): want an integer`},
		{"--map nowhere", "nowhere"},
		{"--nb-players-max 99", `nb-players-max = "99" (flag --nb-players-max): map lagoon has 4 seats`},
		{"--turn-timeout 1s", "has no effect without --pace fast"},
		{"--pace fast --turn-timeout 1s", ""},
		{"--game external --map lagoon", "does not apply to --game external"},
		{"--game external --matches 2", "one match"},
		{"--game hextictactoe --tc soon", "time control"},
		{"--game hextictactoe --seats localhost:8002", ""},
		{"--seats localhost:8002", "over which hexabomb cannot be played"},
		{"--seats paintr", "did you mean painter"},
		{"--seats wait", ""},
		{"--seats page", "without --http there is no page"},
		{"--seats nosuch", "it is neither a file nor a program"},
		{"--seats open --players 0", "a match has 0"},
		{"--record " + filepath.Join(file, "x"), "(flag --record): cannot be made"},
		{"--tokens " + file, "line 1"},
		{"--tokens " + file + ".none", "none"},
		{"--http 127.0.0.1:0 --tls-cert " + file, "has no effect without --tls-key"},
		{"--http 127.0.0.1:0 --tls-cert " + file + " --tls-key " + file, "tls-cert"},
		{"--http 127.0.0.1:" + taken + " --tls-cert " + file + " --tls-key " + file, "tls-cert"},
		{"--bind nowhere.invalid", "nowhere.invalid"},
		{"--health nowhere.invalid:0", "nowhere.invalid"},
		{"--no-such-flag", "no-such-flag"},
	} {
		args := strings.Fields("--port " + free + " --bind 127.0.0.1 --http= --record= " + tt.flags)
		// given twice is a mistake
		for _, flag := range []string{"--port", "--bind", "--http", "--record"} {
			if strings.Contains(tt.flags, flag+" ") {
				args = without(args, flag)
			}
		}
		var said bytes.Buffer
		code := run(append([]string{"hexarena", "config", "--check"}, args...), strings.NewReader(""),
			&said, &said)
		want := 0
		if tt.says != "" {
			want = exitUsage
		}
		if code != want || !strings.Contains(said.String(), tt.says) || code == 0 && said.Len() > 0 {
			t.Errorf("config --check %s: exit code %d, %q, want %d, %q", tt.flags, code, said.String(), want,
				tt.says)
		}
		if tt.says == "" {
			continue
		}
		said.Reset()
		if code := run(append([]string{"hexarena", "serve"}, args...), strings.NewReader(""), &said, &said); code != exitUsage || !strings.Contains(said.String(), tt.says) {
			t.Errorf("serve %s: exit code %d, %q, want %d, %q", tt.flags, code, said.String(), exitUsage,
				tt.says)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("in the folder: %v, %v; want the file alone", left, err)
	}
}

// without returns the arguments without the first one that is the flag or gives it a value.
func without(args []string, flag string) []string {
	for i, a := range args {
		switch {
		case a == flag:
			return append(args[:i:i], args[i+2:]...)
		case strings.HasPrefix(a, flag+"="):
			return append(args[:i:i], args[i+1:]...)
		}
	}
	return args
}

// config play shows and checks the settings of play.
func TestConfigPlay(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{"", 0, "order: seeded"},
		{"--nb-turns-max 7", 0, "nb-turns-max: 7"},
		{"--check painter random", 0, ""},
		{"--check paintr", exitUsage, "paintr"},
		{"--check --turns 0", exitUsage, `turns = "0"`},
		{"--check --game hextictactoe --tps 5", exitUsage, "does not apply to --game hextictactoe"},
		{"--check --headless painter painter", exitUsage, "--headless (command line): no longer exists"},
	} {
		var said bytes.Buffer
		code := run(append([]string{"hexarena", "config", "play"}, strings.Fields(tt.args)...),
			strings.NewReader(""), &said, &said)
		if code != tt.code || !strings.Contains(said.String(), tt.says) {
			t.Errorf("config play %s: exit code %d, %q, want %d, %q", tt.args, code, said.String(), tt.code,
				tt.says)
		}
	}
}
