package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A match continues while the disk is full. When there is room again, the recording
// becomes complete.
func TestServeOnAFullDisk(t *testing.T) {
	thorough.Full(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("only who may mount a disk can fill it: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 900<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	const turns = 400
	p := startServe(t, "--record="+filepath.Join(disk,
		"recordings"), "--nb-players-max=1", "--nb-visus-max=0", "--nb-turns-max=400",
		"--autostart", "--fast")
	c := servertest.Login(t, p.addr, "a", "player")
	c.Expect("GAME_STARTS")
	full := false
	for turn := range turns - 1 {
		c.Expect("TURN")
		if turn == turns/2 {
			p.waitLine("Recording failed")
			full = true
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
		}
		// Large actions that are kept word for word.
		c.Answer(turn, `["`+strings.Repeat("x", 1000)+`"]`)
	}
	c.Expect("GAME_ENDS")
	p.waitLine("Recording goes on, nothing is lost")
	p.expectExit(0)
	files, err := filepath.Glob(filepath.Join(disk, "recordings", "*"))
	if err != nil || len(files) != 1 || !full {
		t.Fatalf("recordings %v, %v", files, err)
	}
	if out, err := command(t, "replay", "verify", files[0]).CombinedOutput(); err != nil ||
		!strings.Contains(string(out), "400") {
		t.Errorf("replay verify: %v\n%s", err, out)
	}
}
