//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Started bots get no credentials and no settings of the server, and what --env names.
func TestEnvironmentOfBots(t *testing.T) {
	t.Parallel()
	cmd := command(t, "play", "sh -c env", "painter", "--turns=1", "--record=", "--http=",
		"--env", "GREETING='good day'", "--env", "EDITOR")
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Env, "AWS_SECRET_ACCESS_KEY=secret", "HEXARENA_LOGS=kept",
		"SSH_AUTH_SOCK=/tmp/agent", "EDITOR=ed")
	// The bot prints its environment and never logs in.
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil ||
		cmd.ProcessState.ExitCode() != exitFailure {
		t.Fatalf("play: %v\n%s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(cmd.Dir, "kept", "*sh*"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	printed := readText(t, logs[0])
	got := map[string]string{}
	for line := range strings.Lines(printed) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		got[name] = value
	}
	for name, want := range map[string]string{
		"PATH": os.Getenv("PATH"), "GREETING": "good day", "EDITOR": "ed", "BOT_SEED": got["BOT_SEED"],
		"AWS_SECRET_ACCESS_KEY": "", "HEXARENA_LOGS": "", "SSH_AUTH_SOCK": "",
	} {
		if value, set := got[name]; value != want || set != (want != "") {
			t.Errorf("%s is %q, set: %v; want %q", name, value, set, want)
		}
	}
}
