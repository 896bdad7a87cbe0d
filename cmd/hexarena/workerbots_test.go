package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A worker gets a bot that is a file, with its kit, and a map that is one; and the round that
// follows from the results of the one before. The log is that of one process.
func TestWorkersGetFiles(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	bots := starters(t)
	dir := t.TempDir()
	bot := starterIn(t, dir, "starter.py")
	board := readText(t, "../../maps/clover.json")
	own := filepath.Join(dir, "own.json")
	writeText(t, own, board)
	args := []string{
		"cup", "painter", bot, "random", "hunter", "--format", "swiss", "--seats", "2", "--count", "12",
		"--turns", "10", "--seed", "5", "--maps", own + ",pebble", "--reproducible", "--turn-timeout",
		"5m", "--start-timeout", "10m",
	}
	single, leased := filepath.Join(dir, "single"), filepath.Join(dir, "leased")
	if out, err := command(t, append(args, "--out", single)...).CombinedOutput(); err != nil {
		t.Fatalf("the cup ended with %v\n%s", err, out)
	}
	if out, err := command(t, "cup", bots[1], "painter", "--out", leased, "--workers", "127.0.0.1:0").CombinedOutput(); err == nil || !strings.Contains(string(out), "workers get files and folders") {
		t.Errorf("a cup with a command line ends with %v\n%s", err, out)
	}
	coordinator := command(t, append(args, "--out", leased, "--workers", "127.0.0.1:0")...)
	told := make(chan string, 1)
	said := &addressReader{told: told}
	coordinator.Stderr = said
	if err := coordinator.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- coordinator.Wait(); close(told) }()
	address := <-told
	if out, err := command(t, "worker", address, "--jobs", "2").CombinedOutput(); err != nil {
		t.Errorf("the worker ended with %v\n%s", err, out)
	}
	if err := <-ended; err != nil {
		t.Fatalf("the cup ended with %v\n%s", err, said.text.String())
	}
	c := &killedCup{t: t}
	if got, want := c.log(leased), c.log(single); !bytes.Equal(got, want) || rowsOf(got) != 12 {
		t.Errorf("with a worker the log is\n%s\nwant\n%s", got, want)
	}
}

// A worker that missed the end of its cup ends when the cup is started again, or after --wait.
func TestWorkersMissTheEnd(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	address := servertest.FreeAddress(t)
	cup := []string{
		"cup", "random", "painter", "--format", "round-robin", "--seats", "2", "--count", "4", "--turns",
		"5", "--maps", "pebble", "--out", filepath.Join(t.TempDir(), "cup"), "--workers", address,
	}
	coordinator := command(t, cup...)
	told := make(chan string, 1)
	coordinator.Stderr = &addressReader{told: told}
	if err := coordinator.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- coordinator.Wait(); close(told) }()
	servers := <-told
	if out, err := command(t, "worker", servers).CombinedOutput(); err != nil {
		t.Errorf("the worker ended with %v\n%s", err, out)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	out, err := command(t, "worker", servers, "--wait", "1s").CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != exitFailure ||
		!strings.Contains(string(out), "the cup is over, or was interrupted") {
		t.Errorf("a worker of a cup that is over ended with %v\n%s", err, out)
	}
	late := command(t, "worker", servers)
	if err := late.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := command(t, cup...).CombinedOutput(); err != nil {
		t.Errorf("the cup that is over ended with %v\n%s", err, out)
	}
	if err := late.Wait(); err != nil {
		t.Errorf("the worker that came late ended with %v", err)
	}
}

// A worker whose address is no address, or has no key, says so and ends.
func TestWorkerAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"tls://worker:x@127.0.0.1:1":             "no # with a key",
		"tls://worker:x@127.0.0.1:1#short":       "is no key",
		"127.0.0.1:1#" + strings.Repeat("A", 43): "is no URL",
	} {
		out, err := command(t, "worker", address).CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != exitUsage ||
			!strings.Contains(string(out), want) {
			t.Errorf("worker %s: %v, %s; want exit code %d and %q", address, err, out, exitUsage, want)
		}
	}
}
