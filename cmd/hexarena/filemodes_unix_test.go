//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// Other users of the machine can read neither new tokens nor recordings, and the server warns
// of tokens that they can read.
func TestOthersReadNeitherTokensNorRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tokens, records := filepath.Join(dir, "tokens.txt"), filepath.Join(dir, "recordings")
	mode := func(path string, want fs.FileMode) {
		t.Helper()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^want != 0 {
			t.Errorf("%s: %v, %v; want %v or less", path, info.Mode().Perm(), err, want)
		}
	}
	if out, err := command(t, "tokens", "-o", tokens).CombinedOutput(); err != nil {
		t.Fatalf("tokens: %v\n%s", err, out)
	}
	mode(tokens, 0o600)
	if out, err := command(t, "tokens", "-o", tokens).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "exists") {
		t.Errorf("tokens for a file that exists: %v\n%s", err, out)
	}
	if err := os.Chmod(tokens, 0o644); err != nil {
		t.Fatal(err)
	}
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http=", "--record="+records, "--tokens="+tokens,
			"--players=1", "--visualizations=0", "--turns=1", "--autostart", "--pace=fast")
	})
	p.waitLine("can read the tokens")
	text := readText(t, tokens)
	_, line, _ := strings.Cut(text, "player")
	c := servertest.Dial(t, p.addr)
	c.SendLogin(strings.Fields(line)[0], "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("GAME_ENDS")
	p.expectExit(0)
	mode(records, 0o750)
	files := recordingsIn(t, records, 1)
	mode(files[0], 0o640)
}
