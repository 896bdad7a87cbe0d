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

// serve starts a server that begins when so many are there.
func (b *bench) serve(ctx context.Context, w crowd, board string, turns int, flags ...string) (*proc.Server, error) {
	return proc.Serve(ctx, b.binary, append([]string{
		"--autostart", "--map", board, "--nb-turns-max", strconv.Itoa(turns),
		"--nb-players-max", strconv.Itoa(w.players), "--nb-visus-max", strconv.Itoa(w.visus),
	}, flags...)...)
}
