//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A worker that has a lease plays on while the broker is away, and delivers the results when it is
// back: the log is that of one process, and no match is played twice.
func TestBrokerIsAway(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const matches = 48
	dir := t.TempDir()
	starts, held := filepath.Join(dir, "starts"), filepath.Join(dir, "held")
	bot := filepath.Join(dir, writeBot(t, dir, "counted", fmt.Sprintf(
		`echo >> '%[1]s'
while [ -e '%[2]s' ] && [ $(wc -l < '%[1]s') -gt 1 ]; do sleep 0.02; done # the second match waits
exec '%[3]s' bot random --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME" --seed "$BOT_SEED"`, starts, held, command(t).Path)))
	c := &leasedCup{
		killedCup: killedCup{t: t, bots: []string{"painter", "hunter", bot}, matches: matches, turns: 3},
		dir:       filepath.Join(dir, "leased"),
	}
	c.rows.path = filepath.Join(c.dir, "log.ndjson")
	want := c.killedCup.finish(filepath.Join(dir, "single"), matches)
	alone := countLines(t, starts)
	if err := errors.Join(os.Remove(starts), os.WriteFile(held, nil, 0o600)); err != nil {
		t.Fatal(err)
	}

	program, address := buildNATS(t), servertest.FreeAddress(t)
	start := func() (stop func()) {
		return startNATS(t, program, address,
			filepath.Join(dir, "store"))
	}
	stop := start()
	t.Cleanup(func() { stop() })
	c.queue = []string{"--nats", "nats://" + address}
	c.start(1)
	c.awaitRows(1) // the worker has its first lease, whose second match with this bot cannot begin
	stop()
	if err := os.Remove(held); err != nil {
		t.Fatal(err)
	}
	await(t, func() error {
		// the lease has six matches, and each pair of the three bots two of them
		if countLines(t, starts) < 4 {
			return errors.New("the worker does not go on while the broker is away")
		}
		return nil
	})
	stop = start()
	c.finish(want)
	if got := countLines(t, starts); got != alone {
		t.Errorf("the worker has started the bot %d times, want %d as in a cup of one process", got,
			alone)
	}
}

// startNATS starts a NATS server, and waits until it listens. stop kills it.
func startNATS(t *testing.T, program, address, store string) (stop func()) {
	t.Helper()
	host, port, _ := net.SplitHostPort(address)
	broker := exec.Command(program, "--addr", host, "--port", port, "--jetstream", "--store_dir",
		store)
	if err := broker.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, func() error {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			err = conn.Close()
		}
		return err
	})
	return func() { _ = broker.Process.Kill(); _ = broker.Wait() }
}

// countLines returns how many lines a file has.
func countLines(t *testing.T, path string) int {
	t.Helper()
	return strings.Count(readText(t, path), "\n")
}
