package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// While the disk is full no round begins, and the pages say so. When there is room again, the round
// begins that was asked for.
func TestEventOnAFullDisk(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("only who may mount a disk can fill it: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	e := startEvent(t, filepath.Join(disk, "event"), "--rounds", "operator")
	tokens := e.signUp("Ann", "Bob")
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens)()
	defer stop()
	for range time.Tick(10 * time.Millisecond) {
		if strings.Contains(e.get("/admin?part=live"), "waits until the operator begins a round") {
			break
		}
	}
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 4<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	// the log has room in its last block
	for !strings.Contains(e.get("/screen.json"), "disk is full") {
		e.typeLines("pause", "resume")
	}
	e.typeLines("round")
	if !strings.Contains(e.get("/admin?part=live"), "disk is full") {
		t.Error("the operator is not told that the disk is full")
	}
	if n := e.rows(); n != 0 {
		t.Errorf("%d matches have been played on a full disk", n)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	e.typeLines("resume")
	e.awaitRows(1)
	if strings.Contains(e.get("/screen.json"), "disk is full") {
		t.Error("the disk is said to be full, and is not")
	}
	e.quit()
}
