package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
)

// arena is a hexarena serve that waits for its players.
type arena struct {
	*process
	addr string
	page string // its URL; empty for none
}

// quiet is a server with neither recordings nor a page.
var quiet = []string{"--record", "", "--http", ""}

// shown is one that records and shows its match.
func (b *bench) shown() []string {
	return []string{"--record", filepath.Join(b.dir, "recordings"), "--http", "127.0.0.1:0"}
}

// serve starts a server that begins when so many are there, on a free port of the
// loopback interface.
func (b *bench) serve(ctx context.Context, w crowd, board string, turns int, flags ...string) (*arena, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, b.binary, append([]string{
		"serve", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--autostart", "--json-logs", "--map", board,
		"--nb-players-max", strconv.Itoa(w.players), "--nb-visus-max", strconv.Itoa(w.visus),
		"--nb-turns-max", strconv.Itoa(turns),
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	text, err := p.line()
	if err != nil {
		return nil, err
	}
	var line struct{ Msg, Page string }
	if err := json.Unmarshal([]byte(text), &line); err != nil || line.Msg != "Listening incoming connections" {
		p.stop()
		return nil, fmt.Errorf("hexarena serve says %s", text)
	}
	return &arena{p, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), line.Page}, nil
}

// freePort is a port of the loopback interface that was free a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
