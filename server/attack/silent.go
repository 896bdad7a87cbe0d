//go:build linux

package main

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

// silent are connections that say something, or nothing, and then wait.
type silent struct {
	Count  int
	From   string // an address
	Page   bool   // they are kept alive after a request to the page; else they go to the bots' port and say nothing
	Slowly bool   // with Page: they never come to the end of their request
}

// keepAlive is a request after which a connection stays open.
const keepAlive = "GET /healthz HTTP/1.1\r\nHost: attack\r\n\r\n"

// arriveEvery is how long after another a silent connection comes: the server's queue
// of new connections is bounded, and what does not fit comes a second later.
const arriveEvery = 200 * time.Microsecond

// occupy holds all silent connections until ctx ends. Those of an address come when
// all of the address before have been let in or refused: that order matters to how
// many each may have.
func (a *attackers) occupy(ctx context.Context) {
	var all, settled sync.WaitGroup
	defer all.Wait()
	for _, s := range a.Silent {
		settled.Add(s.Count)
		all.Go(func() {
			crowd(ctx, s.Count, arriveEvery, func(int) {
				settle := sync.OnceFunc(settled.Done)
				defer settle()
				a.repeat(ctx, func(ctx context.Context) error { return a.keep(ctx, s, settle) })
			})
		})
		settled.Wait()
	}
}

// keep holds one connection until the server closes it, and tells when it is known
// whether the server lets it in.
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
	// What comes is an answer, or the word that there are too many.
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

// dripEvery is how often a request that never ends goes on.
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
		pause(ctx, dripEvery)
	}
}
