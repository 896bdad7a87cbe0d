package main

import (
	"context"
	"strconv"

	"github.com/hexarena/hexarena/server/harness"
)

// serve starts a server with recordings and the page. It stays after the match and still
// answers requests for its events.
func (c *comparison) serve(ctx context.Context) (*harness.Server, error) {
	interval := strconv.FormatInt(tick.Milliseconds(), 10)
	return harness.Serve(ctx, c.binary,
		"--http", "127.0.0.1:0", "--record", c.dir, "--autostart", "--matches", "endless",
		"--map", board, "--nb-players-max", strconv.Itoa(players), "--nb-visus-max", "0",
		"--nb-turns-max", strconv.Itoa(c.turns), "--delay-first-turn", interval, "--delay-turns", interval)
}
