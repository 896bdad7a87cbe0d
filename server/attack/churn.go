//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// churners connect, say something, wait for a word and hang up, as fast as they can.
type churners struct {
	Count int
	Say   string // garbage, or the role to log in for
}

// garbageSize is how much is sent, with the header: as much as a first message may have, or little less.
const garbageSize = 900

// churn has churners at work until ctx ends.
func (a *attackers) churn(ctx context.Context, c churners) {
	crowd(ctx, c.Count, 0, func(i int) {
		for ctx.Err() == nil {
			a.requests.Add(1)
			if a.drop(ctx, c.Say, fmt.Sprint("churn", i)) != nil {
				pause(ctx, between)
			}
		}
	})
}

// drop is one connection of a churner.
func (a *attackers) drop(ctx context.Context, say, name string) error {
	conn, hangUp, err := a.dial(ctx, "", a.Addr)
	if err != nil {
		return err
	}
	defer hangUp()
	_ = conn.(*net.TCPConn).SetLinger(0) // else the machine runs out of ports
	var text []byte
	if say == "garbage" {
		text = make([]byte, garbageSize)
		for i := range text {
			text[i] = byte(rand.Uint32())
		}
		binary.LittleEndian.PutUint32(text, garbageSize-4)
	} else if text, err = netorcai.AppendLogin(nil, netorcai.Login{Nickname: name, Role: roles[say]}); err != nil {
		return err
	}
	if _, err := conn.Write(text); err != nil {
		return err
	}
	a.sent.Add(int64(len(text)))
	_, err = conn.Read(make([]byte, 256))
	return err
}

// roles are those that churners log in for.
var roles = map[string]netorcai.Role{"player": netorcai.RolePlayer, "visualization": netorcai.RoleVisualization}

// askers ask the page for something again and again, as fast as they are answered.
type askers struct {
	Count int
	Path  string // RECORDING stands for a recording's name
}

// ask has askers at work until ctx ends.
func (a *attackers) ask(ctx context.Context, k askers) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: k.Count}}
	defer client.CloseIdleConnections()
	url := "http://" + a.Page + strings.ReplaceAll(k.Path, recordingMark, a.recording)
	crowd(ctx, k.Count, 0, func(int) {
		for ctx.Err() == nil {
			a.requests.Add(1)
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return
			}
			reply, err := client.Do(r)
			if err != nil {
				pause(ctx, between)
				continue
			}
			_, _ = io.Copy(io.Discard, reply.Body)
			_ = reply.Body.Close()
			if reply.StatusCode != http.StatusOK {
				a.refused.Add(1)
				pause(ctx, between)
			}
		}
	})
}

// viewersAddress is how many viewers look from one address: less than the page takes.
const viewersAddress = 500

// look has viewers look at the match until ctx ends.
func (a *attackers) look(ctx context.Context) {
	crowd(ctx, a.Viewers, time.Millisecond, func(i int) {
		from := fmt.Sprintf("127.0.3.%d", 1+i/viewersAddress)
		a.repeat(ctx, func(ctx context.Context) error { return a.view(ctx, from) })
	})
}

// scratch are buffers that viewers share, since each writes next to nothing.
var scratch sync.Pool

// view is one viewer.
func (a *attackers) view(ctx context.Context, from string) error {
	hangUp := func() {}
	defer func() { hangUp() }()
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256, WriteBufferPool: &scratch, HandshakeTimeout: probeTime,
		// Not by the context of the handshake, with which the connection would end.
		NetDialContext: func(_ context.Context, _, address string) (conn net.Conn, err error) {
			conn, hangUp, err = a.dial(ctx, from, address)
			if err != nil {
				hangUp = func() {}
			}
			return conn, err
		},
	}
	conn, _, err := d.DialContext(ctx, "ws://"+a.Page+"/api/live", nil)
	if err != nil {
		return errRefused
	}
	for {
		if _, _, err := conn.NextReader(); err != nil {
			return err
		}
	}
}
