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
	"github.com/hexarena/hexarena/server/harness"
)

// churners connect, send something, wait for an answer and disconnect, as fast as they can.
type churners struct {
	Count int
	Say   string // garbage, or the role of a LOGIN
}

// garbageSize is the number of bytes sent, just below the limit of a first message.
const garbageSize = 900

// churn runs churners until ctx is done.
func (a *attackers) churn(ctx context.Context, c churners) {
	runCrowd(ctx, c.Count, 0, func(i int) {
		for ctx.Err() == nil {
			a.requests.Add(1)
			if a.drop(ctx, c.Say, fmt.Sprint("churn", i)) != nil {
				harness.Pause(ctx, reconnectTime)
			}
		}
	})
}

// drop makes one connection of a churner.
func (a *attackers) drop(ctx context.Context, say, name string) error {
	conn, hangUp, err := a.dial(ctx, "", a.Addr)
	if err != nil {
		return err
	}
	defer hangUp()
	_ = conn.(*net.TCPConn).SetLinger(0) // otherwise the machine runs out of ports
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

// roles are the roles of churners' LOGINs.
var roles = map[string]netorcai.Role{"player": netorcai.RolePlayer, "visualization": netorcai.RoleVisualization}

// askers request something from the page, as fast as they are answered.
type askers struct {
	Count int
	Path  string // RECORDING stands for a recording's name
}

// ask runs askers until ctx is done.
func (a *attackers) ask(ctx context.Context, k askers) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: k.Count}}
	defer client.CloseIdleConnections()
	url := "http://" + a.Page + strings.ReplaceAll(k.Path, recordingMark, a.recording)
	runCrowd(ctx, k.Count, 0, func(int) {
		for ctx.Err() == nil {
			a.requests.Add(1)
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return
			}
			reply, err := client.Do(r)
			if err != nil {
				harness.Pause(ctx, reconnectTime)
				continue
			}
			_, _ = io.Copy(io.Discard, reply.Body)
			_ = reply.Body.Close()
			if reply.StatusCode != http.StatusOK {
				a.refused.Add(1)
				harness.Pause(ctx, reconnectTime)
			}
		}
	})
}

// viewersAddress is the number of viewers from one address, below the page's limit.
const viewersAddress = 500

// watch runs viewers of the match until ctx is done.
func (a *attackers) watch(ctx context.Context) {
	runCrowd(ctx, a.Viewers, time.Millisecond, func(i int) {
		from := fmt.Sprintf("127.0.3.%d", 1+i/viewersAddress)
		a.repeat(ctx, func(ctx context.Context) error { return a.view(ctx, from) })
	})
}

// writeBuffers are shared by viewers, since each writes almost nothing.
var writeBuffers sync.Pool

// view runs one viewer until it loses its connection.
func (a *attackers) view(ctx context.Context, from string) error {
	hangUp := func() {}
	defer func() { hangUp() }()
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256, WriteBufferPool: &writeBuffers, HandshakeTimeout: probeTime,
		// The connection must outlive the context of the handshake.
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
