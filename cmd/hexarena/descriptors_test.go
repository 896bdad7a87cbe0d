//go:build unix

package main

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

// When a server has no descriptors left, it says so once and takes nobody in; the
// match goes on, and when some are free again, so are its doors.
func TestNoDescriptorsLeft(t *testing.T) {
	const limit, turns = 40, 30
	records := t.TempDir()
	p := startServer(t, func(port string) *exec.Cmd {
		cmd := command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http=", "--record="+records, "--matches=2", "--nb-players-max=1",
			"--nb-visus-max=1", "--nb-turns-max="+fmt.Sprint(turns), "--fast", "--max-connections-per-address=0", "--login-timeout=1h")
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, limit), cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		return cmd
	})
	c := servertest.Login(t, p.addr, "a", "player")
	p.say("start")
	c.Expect("GAME_STARTS")
	var crowd []net.Conn
	for range 2 * limit {
		conn, err := net.DialTimeout("tcp", p.addr, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		crowd = append(crowd, conn)
	}
	p.waitLine("Cannot accept connections")
	for turn := range turns - 1 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
		if turn == turns/2 {
			for _, conn := range crowd {
				_ = conn.Close()
			}
			v := servertest.Login(t, p.addr, "v", "visualization")
			v.Expect("GAME_STARTS")
		}
	}
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	p.say("quit")
	for _, line := range p.rest() {
		if strings.Contains(line, "Cannot accept connections") {
			t.Errorf("the log says it again: %s", line)
		}
	}
	p.exit(0)
	if out, err := exec.Command("ls", records).Output(); err != nil || strings.Count(string(out), "\n") != 1 {
		t.Errorf("recordings: %s, %v; want one", out, err)
	}
}
