//go:build linux

package main

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// silent are connections that send one request, or nothing, and then wait.
type silent struct {
	Count  int
	From   string // an address
	Page   bool   // they request the page and stay connected; otherwise they connect to the bots' port and send nothing
	Slowly bool   // with Page: they never finish their request
}

// keepAlive is a request after which the connection stays open.
const keepAlive = "GET /healthz HTTP/1.1\r\nHost: attack\r\n\r\n"

// connectEvery is the interval between silent connections. The kernel's queue of new
// connections is bounded, and a connection that does not fit is retried a second later.
const connectEvery = 200 * time.Microsecond

// occupy holds all silent connections until ctx is done. An address connects when all
// connections of the previous address have been accepted or refused, since the order
// decides how many each may have.
func (a *attackers) occupy(ctx context.Context) {
	var all, settled sync.WaitGroup
	defer all.Wait()
	for _, s := range a.Silent {
		settled.Add(s.Count)
		all.Go(func() {
			runCrowd(ctx, s.Count, connectEvery, func(int) {
				settle := sync.OnceFunc(settled.Done)
				defer settle()
				a.repeat(ctx, func(ctx context.Context) error { return a.keep(ctx, s, settle) })
			})
		})
		settled.Wait()
	}
}

// keep holds one connection until the server closes it. It calls settle when the server
// has accepted or refused it.
func (a *attackers) keep(ctx context.Context, s silent, settle func()) error {
	defer settle()
	to := a.Addr
	if s.Page {
		to = a.Page
	}
	conn, hangUp, err := a.dial(ctx, s.From, to)
	if err != nil {
		return err
	}
	defer hangUp()
	switch {
	case s.Page && s.Slowly:
		settle()
		return a.drip(ctx, conn)
	case s.Page:
		if _, err := io.WriteString(conn, keepAlive); err != nil {
			return err
		}
		a.sent.Add(int64(len(keepAlive)))
	default:
		settle()
	}
	// The server sends an answer, or says that there are too many connections.
	head := make([]byte, 256)
	for first := true; ; first = false {
		n, err := conn.Read(head)
		settle()
		switch text := string(head[:n]); {
		case first && (strings.Contains(text, "503") || strings.Contains(text, "KICK")):
			return errRefused
		case err != nil:
			return err
		}
	}
}

// dripEvery is the interval between two bytes of a request that never ends.
const dripEvery = 200 * time.Millisecond

// drip sends a header byte by byte until the server closes the connection.
func (a *attackers) drip(ctx context.Context, conn io.Writer) error {
	text := []byte("GET / HTTP/1.1\r\nHost: attack\r\nX: ")
	for {
		n, err := conn.Write(text)
		if a.sent.Add(int64(n)); err != nil {
			return err
		}
		text = []byte("x")
		harness.Pause(ctx, dripEvery)
	}
}
