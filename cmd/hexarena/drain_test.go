package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// After SIGTERM a running match may be played to its end within the drain timeout. A
// match that has not started is aborted.
func TestDrain(t *testing.T) {
	t.Parallel()
	const turns = 4
	for _, tt := range []struct {
		name, timeout   string
		starts, answers bool
		code            int
		lines           []string
	}{
		{"the match ends in time", "30s", true, true, 0, []string{
			"SIGTERM received. Finishing the match.", "Game is finished",
		}},
		{"the match takes too long", "100ms", true, false, 1, []string{
			"SIGTERM received. Finishing the match.", "SIGTERM received. Aborting.",
		}},
		{"nothing has started", "30s", false, false, 1, []string{"SIGTERM received. Aborting."}},
		{"no time for it", "off", true, false, 1, []string{"SIGTERM received. Aborting."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := startServe(t, "--drain-timeout="+tt.timeout, "--record=", "--matches=endless", "--nb-players-max=1", "--nb-visus-max=0",
				"--nb-turns-max=4", "--fast")
			c := servertest.Login(t, p.addr, "a", "player")
			if tt.starts {
				p.typeLines("start")
				c.Expect("GAME_STARTS")
				c.Expect("TURN")
			}
			if err := p.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			for i, line := range tt.lines {
				if i == 1 && tt.answers {
					for turn := range turns - 1 {
						c.Answer(turn, "[]")
						if turn < turns-2 {
							c.Expect("TURN")
						}
					}
					c.Expect("GAME_ENDS")
				}
				p.waitLine(line)
			}
			p.expectExit(tt.code)
		})
	}
}

// A server whose terminal is closed stops as after SIGTERM.
func TestServeEndsWithItsTerminal(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // the server must not inherit that it is ignored
	defer signal.Stop(heard)
	p := startServe(t, "--record=", "--nb-players-max=1", "--nb-visus-max=0")
	c := servertest.Login(t, p.addr, "a", "player")
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c.ExpectKick("netorcai abort")
	p.waitLine("SIGHUP received. Aborting.")
	p.expectExit(1)
}
