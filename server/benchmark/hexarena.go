package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/hexarena/hexarena/server/proc"
)

// quiet is a server with neither recordings nor a page.
var quiet = []string{"--record", "", "--http", ""}

// shown is one that records and shows its match.
func (b *bench) shown() []string {
	return []string{"--record", filepath.Join(b.dir, "recordings"), "--http", "127.0.0.1:0"}
}

// serve starts the program's server, whose match begins when all of w are there.
func (b *bench) serve(ctx context.Context, w crowd, board string, turns int, flags ...string) (*proc.Server, error) {
	return serveWith(ctx, b.binary, w, board, turns, flags...)
}

// serveWith is serve with the program at binary.
func serveWith(ctx context.Context, binary string, w crowd, board string, turns int, flags ...string) (*proc.Server, error) {
	return proc.Serve(ctx, binary, append([]string{
		"--autostart", "--map", board, "--nb-turns-max", strconv.Itoa(turns),
		"--nb-players-max", strconv.Itoa(w.players), "--nb-visus-max", strconv.Itoa(w.visus),
	}, flags...)...)
}
