//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// readers request something large from the page and read it slowly.
type readers struct {
	Count int
	Paths []string      // requested in turn; RECORDING stands for a recording's name
	From  []string      // source addresses, used in turn; empty for any
	Rate  int           // bytes per second that each reads
	Every time.Duration // interval between their starts
}

// readEvery is the interval between two reads of a slow reader.
const readEvery = 100 * time.Millisecond

// recordingMark stands for the name of a recording in a path.
const recordingMark = "RECORDING"

// read runs readers. Each repeats its request when it was refused or disconnected.
func (a *attackers) read(ctx context.Context, r readers) {
	runCrowd(ctx, r.Count, r.Every, func(i int) {
		path := strings.ReplaceAll(r.Paths[i%len(r.Paths)], recordingMark, a.recording)
		from := ""
		if len(r.From) > 0 {
			from = r.From[i%len(r.From)]
		}
		a.repeat(ctx, func(ctx context.Context) error { return a.download(ctx, from, path, r.Rate) })
	})
}

// download reads a path slowly until it ends or the server closes the connection.
func (a *attackers) download(ctx context.Context, from, path string, rate int) error {
	conn, hangUp, err := a.dial(ctx, from, a.Page)
	if err != nil {
		return err
	}
	defer hangUp()
	request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, a.Page)
	if _, err := io.WriteString(conn, request); err != nil {
		return err
	}
	a.sent.Add(int64(len(request)))
	const status = len("HTTP/1.1 200")
	head := make([]byte, max(status, rate/int(time.Second/readEvery)))
	if _, err := io.ReadFull(conn, head[:status]); err != nil {
		return err
	}
	if string(head[status-3:status]) != "200" {
		return errRefused
	}
	for {
		harness.Pause(ctx, readEvery)
		if _, err := conn.Read(head); err != nil {
			return err
		}
	}
}

// smallBuffer makes a connection's receive buffer small. The kernel's default holds whole
// answers, which would hide that a reader is slow.
func smallBuffer(_, _ string, c syscall.RawConn) error {
	var err error
	failed := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
	})
	if failed != nil {
		return failed
	}
	return err
}
