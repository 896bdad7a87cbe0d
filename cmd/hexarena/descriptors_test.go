//go:build unix

package main

import (
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// startWithDescriptors starts a server with a limit on its descriptors.
func startWithDescriptors(t *testing.T, limit int, server func(port string) *exec.Cmd) *process {
	return startServer(t, func(port string) *exec.Cmd {
		cmd := server(port)
		cmd.Args = append(
			[]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, limit), cmd.Path},
			cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		return cmd
	})
}

// openSilent opens connections that send nothing until the test ends.
func openSilent(t *testing.T, addr string, n int) (crowd []net.Conn) {
	t.Helper()
	for range n {
		conn, err := net.DialTimeout("tcp", addr, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		crowd = append(crowd, conn)
	}
	return crowd
}

// With any number of silent connections on all ports, clients log in, probes are
// answered, and the match continues and is recorded.
func TestSilentConnections(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const limit, turns = 64, 30
	records := t.TempDir()
	var page, probes string
	p := startWithDescriptors(t, limit, func(port string) *exec.Cmd {
		page, probes = "127.0.0.1:"+strconv.Itoa(freePort(t)), "127.0.0.1:"+strconv.Itoa(freePort(t))
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http="+page, "--health="+probes, "--record="+records, "--matches=2",
			"--nb-players-max=1", "--nb-visus-max=1", "--nb-turns-max="+fmt.Sprint(turns), "--fast", "--login-timeout=1h")
	})
	c := servertest.Login(t, p.addr, "a", "player")
	p.typeLines("start")
	c.Expect("GAME_STARTS")
	openSilent(t, p.addr, 2*limit)
	openSilent(t, page, 2*limit)
	openSilent(t, probes, 2*limit)
	for turn := range turns - 1 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
		if turn == turns/2 {
			servertest.Login(t, p.addr, "v", "visualization").Expect("GAME_STARTS")
			ask := command(t, "health")
			ask.Env = append(ask.Environ(), "HEXARENA_HEALTH="+probes)
			if out, err := ask.CombinedOutput(); err != nil || !strings.Contains(string(out), `"ok"`) {
				t.Errorf("health: %v\n%s", err, out)
			}
			if out, err := command(t, "health", page).CombinedOutput(); err != nil {
				t.Errorf("health at the page's address: %v\n%s", err, out)
			}
		}
	}
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	p.typeLines("quit")
	for _, line := range p.readRest() {
		if strings.Contains(line, "Cannot accept connections") ||
			strings.Contains(line, "Recording failed") {
			t.Errorf("descriptors run out: %s", line)
		}
	}
	p.expectExit(0)
	if out, err := exec.Command("ls", records).Output(); err != nil ||
		strings.Count(string(out), "\n") != 1 {
		t.Errorf("recordings: %s, %v; want one", out, err)
	}
}

// Under the name netorcai, which does not limit connections, a server that runs out of
// descriptors logs that once and accepts no connection. The match continues, and clients
// log in when descriptors are free again.
func TestNoDescriptorsLeft(t *testing.T) {
	t.Parallel()
	const limit, turns = 40, 30
	p := startWithDescriptors(t, limit, func(port string) *exec.Cmd {
		return program(t, "netorcai", "--port="+port, "--nb-players-max=1", "--nb-visus-max=1",
			"--nb-turns-max="+fmt.Sprint(turns), "--fast")
	})
	logic := servertest.LoginLogic(t, p.addr)
	c := servertest.Login(t, p.addr, "a", "player")
	p.typeLines("start")
	logic.Expect("DO_INIT")
	logic.AckInit("{}")
	c.Expect("GAME_STARTS")
	crowd := openSilent(t, p.addr, 2*limit)
	p.waitLine("Cannot accept connections")
	for turn := range turns {
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, "{}")
		if turn == turns-1 {
			break
		}
		c.Expect("TURN")
		if turn == turns/2 { // the match waits for the player, and for a game logic only 3 s
			for _, conn := range crowd {
				_ = conn.Close()
			}
			servertest.Login(t, p.addr, "v", "visualization").Expect("GAME_STARTS")
		}
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	for _, line := range p.readRest() {
		if strings.Contains(line, "Cannot accept connections") {
			t.Errorf("the log repeats the line: %s", line)
		}
	}
	p.expectExit(0)
}
