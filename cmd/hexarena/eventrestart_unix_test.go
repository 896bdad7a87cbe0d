//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// An event that is interrupted between two rounds and started again by the same command has its
// bots again, without a hand: one that a kit runs, and one that joined.
func TestEventRestarted(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, err)
	}
	bots := t.TempDir()
	kit := kits.Of("x.py")
	for _, name := range kit.Files() {
		writeText(t, filepath.Join(bots, name), string(kit.File(name)))
	}
	file := filepath.Join(bots, kit.Starters["hexabomb"])
	dir, rounds := filepath.Join(t.TempDir(), "event"), []string{"--rounds", "operator", "--send", "off"}
	e := startEvent(t, dir, rounds...)
	tokens := e.signUp("Kit", "Join", "Other")
	start(t,
		exec.Command(python, file, "127.0.0.1", strconv.Itoa(e.port), "--stay", "--token", tokens[0]))
	joined := start(t, command(t, "join", e.url+"/#token="+tokens[1], python+" "+file))
	other, err := netorcai.Dial(t.Context(), e.addr, netorcai.Login{Nickname: "o", Role: netorcai.RolePlayer, Token: tokens[2], Stay: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	ready := func(tokens []string) {
		t.Helper()
		for _, token := range tokens {
			e.awaitTeam(token, func(team map[string]any) bool { return team["ready"] == true })
		}
	}
	ready(tokens)
	if err := e.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	kick := (*netorcai.KickError)(nil)
	if _, err := other.Start(t.Context()); !errors.As(err, &kick) ||
		kick.Reason != netorcai.KickAbort {
		t.Errorf("a bot that waits is told %v, want %s", err, netorcai.KickAbort)
	}
	e.expectExit(0)
	joined.waitLine("The server was stopped; trying again for 12h0m0s.")

	e = startEventAt(t, e.port, func(args ...string) *exec.Cmd { return command(t, args...) }, dir,
		rounds...)
	ready(tokens[:2])
	joined.waitLine("The connection is back.")
	before := e.rows()
	e.typeLines("round")
	e.awaitRows(before + 1)
	e.quit()
}
