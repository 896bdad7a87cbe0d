//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// kind is how attackers of one kind behave.
type kind struct {
	visit func(*visitor, context.Context) error // one connection; an error delays the next one
	plays bool                                  // it is a player, and plays before the attack
	// it connects to the page, otherwise to the bots' port
	page  bool
	small bool // its receive buffer is small
	// its connection is accepted when the server has answered
	answered bool
	// interval between the first connections of two attackers
	every time.Duration
	retry time.Duration // after a connection that failed or was lost
}

const (
	// reconnectTime is the time after which a disconnected bot connects again.
	reconnectTime = 20 * time.Millisecond
	// returnTime is the time after which a player that was kicked connects again.
	returnTime = 200 * time.Millisecond
	// retryTime is short enough to take every place that becomes free.
	retryTime = time.Second
	// connectEvery keeps the kernel's queue of new connections short: it is bounded, and a
	// connection that does not fit is tried again a second later.
	connectEvery = 200 * time.Microsecond
)

// play is the kind of hostile players.
const play = "play"

// kinds are the kinds of attackers by name.
var kinds = map[string]kind{
	play:   {visit: (*visitor).play, plays: true, retry: reconnectTime},
	"odd":  {visit: (*visitor).odd, plays: true, retry: reconnectTime},
	"read": {visit: (*visitor).read, page: true, small: true, retry: retryTime},
	"idle": {
		visit: (*visitor).idle, page: true, small: true, answered: true, every: connectEvery,
		retry: retryTime,
	},
	"drip": {
		visit: (*visitor).drip, page: true, small: true, every: connectEvery,
		retry: retryTime,
	},
	"silent":        {visit: (*visitor).silent, small: true, every: connectEvery, retry: retryTime},
	"garbage":       {visit: (*visitor).garbage, small: true, retry: reconnectTime},
	"player":        {visit: login(netorcai.RolePlayer), small: true, retry: reconnectTime},
	"visualization": {visit: login(netorcai.RoleVisualization), small: true, retry: reconnectTime},
	"ask":           {visit: (*visitor).ask, page: true, retry: reconnectTime},
	"view": {
		visit: (*visitor).view, page: true, small: true, every: time.Millisecond,
		retry: retryTime,
	},
}

const (
	readEvery = 100 * time.Millisecond // interval between two reads of a slow reader
	readRate  = 2000                   // bytes that it reads in a second
)

// read reads a path slowly until it ends or the server closes the connection.
func (v *visitor) read(ctx context.Context) error {
	if err := v.request("Connection: close\r\n"); err != nil {
		return err
	}
	const status = len("HTTP/1.1 200")
	text := make([]byte, readRate/int(time.Second/readEvery))
	if _, err := io.ReadFull(v.conn, text[:status]); err != nil {
		return err
	}
	if string(text[status-3:status]) != "200" {
		return errRefused
	}
	for {
		harness.Pause(ctx, readEvery)
		if _, err := v.conn.Read(text); err != nil {
			return err
		}
	}
}

// idle sends one request and keeps the connection.
func (v *visitor) idle(ctx context.Context) error {
	if err := v.request(""); err != nil {
		return err
	}
	return v.silent(ctx)
}

// silent sends nothing until the server closes the connection.
func (v *visitor) silent(context.Context) error {
	// The server sends an answer, or says that there are too many connections.
	head := make([]byte, 256)
	for first := true; ; first = false {
		n, err := v.conn.Read(head)
		v.settle()
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
func (v *visitor) drip(ctx context.Context) error {
	for text := "GET / HTTP/1.1\r\nHost: attack\r\nX: "; ; text = "x" {
		if err := v.send([]byte(text)); err != nil {
			return err
		}
		harness.Pause(ctx, dripEvery)
	}
}

// garbageSize is the number of bytes sent, just below the limit of a first message.
const garbageSize = 900

// garbage sends a message without meaning.
func (v *visitor) garbage(context.Context) error {
	text := make([]byte, garbageSize)
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	binary.LittleEndian.PutUint32(text, garbageSize-4)
	return v.drop(text)
}

// login returns a kind's visit that logs in and disconnects.
func login(role netorcai.Role) func(*visitor, context.Context) error {
	return func(v *visitor, _ context.Context) error {
		name := fmt.Sprint("churn", v.number)
		text, err := netorcai.AppendLogin(nil, netorcai.Login{Nickname: name, Role: role})
		if err != nil {
			return err
		}
		return v.drop(text)
	}
}

// drop sends a message, waits for an answer and disconnects.
func (v *visitor) drop(text []byte) error {
	_ = v.conn.SetLinger(0) // otherwise the machine runs out of ports
	if err := v.send(text); err != nil {
		return err
	}
	_, err := v.conn.Read(make([]byte, 256))
	return err
}

// ask requests a path as fast as it is answered, on one connection.
func (v *visitor) ask(context.Context) error {
	for in := bufio.NewReader(v.conn); ; v.requests.Add(1) {
		if err := v.request("Accept-Encoding: gzip\r\n"); err != nil {
			return err
		}
		reply, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, reply.Body)
		switch {
		case err != nil:
			return err
		case reply.StatusCode != http.StatusOK:
			return errRefused
		case reply.Close:
			return nil
		}
	}
}

// view watches the match until it loses its connection.
func (v *visitor) view(ctx context.Context) error {
	dial := func(string) (net.Conn, error) { return v.conn, nil }
	viewer, err := harness.View(ctx, "ws://"+v.Page+"/api/live", dial)
	if err != nil {
		return errRefused
	}
	for {
		if _, err := viewer.Next(); err != nil {
			return err
		}
	}
}
