package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Who opens a port to everybody is told so, unless tokens say who may come in,
// or the program is to be what netorcai is.
func TestWarnsOfAnOpenPort(t *testing.T) {
	const warning = "may play and look on: --tokens says who may"
	for _, tt := range []struct {
		name string
		run  func(port string) *exec.Cmd
		want bool
	}{
		{"every interface", func(port string) *exec.Cmd { return command(t, "serve", "--port", port, "--http=") }, true},
		{"loopback", func(port string) *exec.Cmd { return command(t, "serve", "--port", port, "--http=", "--bind=127.0.0.1") }, false},
		{"the page", func(port string) *exec.Cmd {
			return command(t, "serve", "--port", port, "--http=0.0.0.0:0", "--bind=127.0.0.1")
		}, true},
		{"netorcai", func(port string) *exec.Cmd { return program(t, "netorcai", "--port="+port) }, false},
	} {
		p := startServer(t, tt.run)
		p.say("quit")
		warned := false
		for _, line := range p.rest() {
			warned = warned || strings.Contains(line, warning)
		}
		if warned != tt.want {
			t.Errorf("%s: warned %v, want %v", tt.name, warned, tt.want)
		}
	}
}

func TestPlayTellsOfStrangers(t *testing.T) {
	const warning = "whoever reaches the page may look on"
	for _, game := range [][]string{{"--turns=1", "random", "random"}, {"--game=hextictactoe", "random", "random"}} {
		for address, want := range map[string]bool{"0.0.0.0:0": true, "127.0.0.1:0": false} {
			cmd := command(t, append([]string{"play", "--record=", "--logs=", "--http=" + address}, game...)...)
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), warning) != want {
				t.Errorf("%q at %s: %v, want a warning: %v\n%s", game, address, err, want, out)
			}
		}
	}
}
