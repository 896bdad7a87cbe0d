package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A bot that logs in a second time, under another bot's nickname, gets no second seat.
// The ranking and the server's log report that, and --strict exits with 4.
func TestPlayLoginTwice(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	run := func(flags ...string) (code int, out string) {
		t.Helper()
		refused := filepath.Join(t.TempDir(), "refused")
		args := append([]string{"play", "--port", "0", "--turns", "5", "--http", "", "--logs", dir},
			flags...)
		cmd := command(t, append(args,
			os.Args[0]+" play-test-bot twice -1 "+refused+" painter",
			os.Args[0]+" play-test-bot wait -1 "+refused,
			"painter")...)
		cmd.Dir = t.TempDir() // for the recording
		var stdout bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stdout
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode(), stdout.String()
	}
	const remark = `another login of its process, as "painter", was refused`
	if code, out := run(); code != 0 || strings.Count(out, remark) != 1 ||
		!strings.Contains(out, "painter wins") {
		t.Errorf("exit code %d, want 0 and a remark\n%s", code, out)
	}
	if code, out := run("--strict"); code != exitUnreliable {
		t.Errorf("--strict: exit code %d, want %d\n%s", code, exitUnreliable, out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "server.log"))
	if err != nil || !strings.Contains(string(log), "Login refused") ||
		!strings.Contains(string(log), "has a seat already") {
		t.Errorf("server.log: %v, %s", err, log)
	}
	if code, out := run("--json"); code != 0 || !strings.Contains(out, `"denied_logins": 1`) ||
		strings.Contains(out, `"untraced"`) {
		t.Errorf("--json: exit code %d\n%s", code, out)
	}
}
