package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A server warns that its port is open to all, unless it has tokens or runs under the
// name netorcai.
func TestWarnsOfAnOpenPort(t *testing.T) {
	t.Parallel()
	const warning, shared = "can play and watch: --tokens admits only those on a " +
		"list", "others can take its seat; --tokens prevents that"
	for _, tt := range []struct {
		name        string
		run         func(port string) *exec.Cmd
		want, seats bool // expects the warning of an open port, of seats behind a shared address
	}{
		{"every interface", func(port string) *exec.Cmd {
			return command(t, "serve", "--port", port,
				"--http=")
		}, true, true},
		{"no seats back", func(port string) *exec.Cmd {
			return command(t, "serve", "--port", port, "--http=", "--reconnect=off")
		}, true, false},
		{"loopback", func(port string) *exec.Cmd {
			return command(t, "serve", "--port", port, "--http=",
				"--bind=127.0.0.1")
		}, false, false},
		{"the page", func(port string) *exec.Cmd {
			return command(t, "serve", "--port", port, "--http=0.0.0.0:0", "--bind=127.0.0.1")
		}, true, true},
		{"netorcai", func(port string) *exec.Cmd {
			return program(t, "netorcai",
				"--port="+port)
		}, false, false},
	} {
		p := startServer(t, tt.run)
		p.typeLines("quit")
		text := strings.Join(p.readRest(), "\n")
		if got := strings.Contains(text, warning); got != tt.want {
			t.Errorf("%s: warned %v, want %v", tt.name, got, tt.want)
		}
		if got := strings.Contains(text, shared); got != tt.seats {
			t.Errorf("%s: warned of a shared address: %v, want %v", tt.name, got, tt.seats)
		}
	}
}

func TestPlayTellsOfStrangers(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const warning = "anyone who can reach the page can watch"
	for _, game := range [][]string{
		{"--turns=1", "random", "random"}, {"--game=hextictactoe", "random", "random"},
	} {
		for address, want := range map[string]bool{"0.0.0.0:0": true, "127.0.0.1:0": false} {
			cmd := command(t,
				append([]string{"play", "--record=", "--logs=", "--http=" + address}, game...)...)
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), warning) != want {
				t.Errorf("%q at %s: %v, want a warning: %v\n%s", game, address, err, want, out)
			}
		}
	}
}
