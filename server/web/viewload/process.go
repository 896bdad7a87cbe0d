package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

// serve starts a server with recordings and the page. After the match it waits for
// another, and can be asked about the first.
func (c *comparison) serve(ctx context.Context) (*proc.Server, error) {
	interval := strconv.FormatInt(tick.Milliseconds(), 10)
	return proc.Serve(ctx, c.binary,
		"--http", "127.0.0.1:0", "--record", c.dir, "--autostart", "--matches", "endless",
		"--map", board, "--nb-players-max", strconv.Itoa(players), "--nb-visus-max", "0",
		"--nb-turns-max", strconv.Itoa(c.turns), "--delay-first-turn", interval, "--delay-turns", interval)
}

// clockTicks are how many of the units a second has in which Linux tells
// processor time.
const clockTicks = 100

// busyTime is the processor time that a process has had, 0 if it is not known.
func busyTime(pid int) (total time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may be anything
	if fields := strings.Fields(rest); len(fields) > 12 {
		for _, text := range fields[11:13] { // its own and the system's for it
			n, _ := strconv.Atoi(text)
			total += time.Duration(n) * time.Second / clockTicks
		}
	}
	return total
}
