package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/hexarena/hexarena/server/harness"
)

// plainFlags start a server without recordings and page.
var plainFlags = []string{"--record", "", "--http", ""}

// fullFlags start a server with recordings and page.
func (b *bench) fullFlags() []string {
	return []string{"--record", filepath.Join(b.dir, "recordings"), "--http", "127.0.0.1:0"}
}

// serve starts a server whose match begins when all clients of w have logged in.
func (b *bench) serve(ctx context.Context, w crowd, board string, turns int, flags ...string) (*harness.Server, error) {
	return serveWith(ctx, b.binary, w, board, turns, flags...)
}

// serveWith is serve with another program.
func serveWith(ctx context.Context, binary string, w crowd, board string, turns int, flags ...string) (*harness.Server, error) {
	return harness.Serve(ctx, binary, append([]string{
		"--autostart", "--map", board, "--nb-turns-max", strconv.Itoa(turns),
		"--nb-players-max", strconv.Itoa(w.players), "--nb-visus-max", strconv.Itoa(w.visus),
	}, flags...)...)
}
