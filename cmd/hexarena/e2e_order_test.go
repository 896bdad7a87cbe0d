package main

import (
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// Harnesses act as soon as they read a line of the log. These tests do so many times, in several
// processes at once, which keep the processors busy: what a line tells must be true by then.

// workers is the number of processes of a test run at once: more than most machines have
// processors.
const workers = 4

// repeat calls do n times, by workers in parallel subtests.
func repeat(t *testing.T, n int, do func(t *testing.T, i int)) {
	var next atomic.Int64
	for range workers {
		t.Run("worker", func(t *testing.T) {
			t.Parallel()
			for i := int(next.Add(1)); i <= n && !t.Failed(); i = int(next.Add(1)) {
				do(t, i)
			}
		})
	}
}

// startNetorcai starts netorcai on a free port and waits until it listens.
func startNetorcai(t *testing.T, args ...string) *process {
	t.Helper()
	return startServer(t, func(port string) *exec.Cmd {
		return program(t, "netorcai", append([]string{"--port", port}, args...)...)
	})
}

// waitGone waits for the line that a client has hung up.
func (p *process) waitGone() {
	p.t.Helper()
	if line := p.waitLine("Kicking client"); !strings.Contains(line, "Remote endpoint closed") {
		p.t.Fatalf("a client is kicked: %s", line)
	}
}

// When the log shows that a client is gone, another one can take its seat.
func TestSeatIsFreeAfterItsLine(t *testing.T) {
	for _, role := range []string{"player", "special player", "visualization"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			p := startNetorcai(t, "--nb-players-max=1", "--nb-splayers-max=1")
			for range thorough.Size(50, 1000) {
				servertest.Login(t, p.addr, "bot", role).Close()
				p.waitGone()
			}
		})
	}
}

// When the log shows that a player is gone, a match starts without it.
func TestStartAfterTheLineOfALeave(t *testing.T) {
	repeat(t, thorough.Size(4, 1000), func(t *testing.T, _ int) {
		p := startNetorcai(t)
		logic := servertest.LoginLogic(t, p.addr)
		servertest.Login(t, p.addr, "bot", "player").Close()
		p.waitGone()
		p.typeLines("start")
		if m := logic.Expect("DO_INIT"); m.Players != 0 {
			t.Errorf("the match starts with %d players, the only one had left", m.Players)
		}
		p.stop()
	})
}

// When the log shows that the match starts, a second game logic learns that.
func TestGameLogicAfterTheLineOfTheStart(t *testing.T) {
	repeat(t, thorough.Size(4, 300), func(t *testing.T, _ int) {
		p := startNetorcai(t)
		servertest.LoginLogic(t, p.addr)
		p.typeLines("start")
		p.waitLine("Starting game")
		c := servertest.Dial(t, p.addr)
		c.SendLogin("late", "game logic")
		c.ExpectKick("LOGIN denied: Game has been started")
		p.stop()
	})
}

// The first reason to stop decides the exit code, and is the only one in the log.
func TestFirstReasonToStop(t *testing.T) {
	quit := func(p *process) {
		if _, err := io.WriteString(p.stdin, "quit\n"); err != nil && !hasEnded(err) {
			t.Error(err)
		}
	}
	signal := func(p *process) {
		if err := p.Process.Signal(syscall.SIGTERM); err != nil && !hasEnded(err) {
			t.Error(err)
		}
	}
	fail := func(logic *servertest.Client) func(*process) { return func(*process) { logic.Close() } }
	repeat(t, thorough.Size(8, 200), func(t *testing.T, i int) {
		p := startNetorcai(t)
		logic := servertest.LoginLogic(t, p.addr)
		servertest.Login(t, p.addr, "bot", "player") // holds its socket
		both := []func(*process){quit, signal, fail(logic)}
		first, second := i%3, (i+1+i/3%2)%3
		both[first](p)
		if i%4 > 1 {
			p.waitLine("Aborting.") // else both at once
			both[second](p)
			p.expectReasons(first)
			return
		}
		both[second](p)
		p.expectReasons(-1)
	})
}

// expectReasons checks that the rest of the log has one reason at most to stop, none if first is
// given, and that the exit code is that of the first reason: 0 for quit, else 1.
func (p *process) expectReasons(first int) {
	p.t.Helper()
	var reasons []int
	if first >= 0 {
		reasons = append(reasons, first)
	}
	lines := p.readRest()
	for _, line := range lines {
		for reason, text := range []string{
			"Shell exited. Aborting.", "SIGTERM received. Aborting.", "Game logic failed. Aborting.",
		} {
			if strings.Contains(line, text) {
				reasons = append(reasons, reason)
			}
		}
	}
	if len(reasons) != 1 {
		p.t.Errorf("%d reasons to stop: %q", len(reasons), lines)
		return
	}
	p.expectExit(min(reasons[0], 1))
}

// stop ends the process, and waits for its end.
func (p *process) stop() {
	p.t.Helper()
	if err := p.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	p.readRest()
}
