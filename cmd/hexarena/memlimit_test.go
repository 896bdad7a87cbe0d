package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The log of a server tells its memory limit; netorcai's log has no such line.
func TestMemoryLimitIsLogged(t *testing.T) {
	t.Parallel()
	serve := func(program func(port string) *exec.Cmd) []string {
		p := startServer(t, func(port string) *exec.Cmd {
			cmd := program(port)
			cmd.Env = append(cmd.Env, "GOMEMLIMIT=300MiB")
			return cmd
		})
		_, _ = p.stdin.Write([]byte("quit\n"))
		var lines []string
		for line := range p.lines {
			lines = append(lines, line)
		}
		return lines
	}
	ours := serve(func(port string) *exec.Cmd {
		return command(t, "serve", "--bind", "127.0.0.1", "--port", port, "--http", "", "--debug",
			"--json-logs")
	})
	if text := strings.Join(ours, "\n"); !strings.Contains(text, `"bytes":314572800,"from":"GOMEMLIMIT"`) {
		t.Errorf("no line has the limit in\n%s", text)
	}
	theirs := serve(
		func(port string) *exec.Cmd {
			return program(t, "netorcai", "--port", port, "--debug",
				"--json-logs")
		},
	)
	if text := strings.Join(theirs, "\n"); strings.Contains(text, "314572800") {
		t.Errorf("netorcai has no such line:\n%s", text)
	}
}
