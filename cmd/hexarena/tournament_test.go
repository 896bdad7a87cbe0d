package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Bots in separate processes stay connected during a tournament on one port.
func TestTournament(t *testing.T) {
	port := fmt.Sprint(freePort(t))
	const bots, matches = 6, 24
	args := []string{
		"tournament", "--matches", fmt.Sprint(matches), "--at-once", "8", "--bind", "127.0.0.1", "--port", port,
		"--http", "", "--record", "", "--pace", "fast", "--nb-turns-max", "10",
	}
	for i := range bots {
		args = append(args, fmt.Sprint("b", i))
	}
	cmd := command(t, args...)
	var table bytes.Buffer
	cmd.Stdout = &table
	lines := startLines(t, cmd)
	if !lines.Scan() || !strings.Contains(lines.Text(), "Listening incoming connections") {
		t.Fatalf("the first line is %q", lines.Text())
	}
	go func() {
		for lines.Scan() { // keeps the pipe from filling up
		}
	}()
	ended := make(chan error, bots)
	for i := range bots {
		bot := command(t, "bot", "random", "--stay", "--nickname", fmt.Sprint("b", i), "--port", port)
		go func() { ended <- bot.Run() }()
	}
	for range bots {
		if err := <-ended; err != nil {
			t.Errorf("a bot ended with %v", err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the tournament ended with %v", err)
	}
	rows := strings.Split(strings.TrimSpace(table.String()), "\n")
	played := 0
	for _, line := range rows[1:] {
		var nickname string
		var n, won int
		if _, err := fmt.Sscan(line, &nickname, &n, &won); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		played += n
	}
	if len(rows) != bots+1 || played != 4*matches {
		t.Errorf("the standings are\n%s\nwant %d seats of %d bots", table.String(), 4*matches, bots)
	}
}
