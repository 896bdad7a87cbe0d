package session

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
)

// A client over a WebSocket that has read what it was sent is connected for as long as it is sent
// nothing else, whatever the time for reading is.
func TestWriteTimeoutOfAnIdleClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		m := match.New(
			match.Options{Settings: match.Settings{Players: 2, Turns: 1}, Referee: match.Local(&idleGame{})})
		near, far := net.Pipe()
		var running sync.WaitGroup
		running.Go(func() { m.Run(ctx) })
		running.Go(func() {
			r, err := http.ReadRequest(bufio.NewReader(near))
			if err != nil {
				t.Error(err)
				return
			}
			conn, err := OverWebSocket(hijacked{httptest.NewRecorder(), near}, r, nil, zerolog.Nop())
			if err != nil {
				t.Error(err)
				return
			}
			New(conn, Options{Door: m, WriteTimeout: time.Minute, Meter: NoMeter{}}).Serve()
		})
		dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return far, nil }}
		ws, _, err := dialer.Dial("ws://x/netorcai", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"message_type":"LOGIN","nickname":"a","role":"player","metaprotocol_version":"2.0.0"}`)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ws.ReadMessage(); err != nil {
			t.Fatal(err)
		}
		const long = time.Hour
		_ = ws.SetReadDeadline(time.Now().Add(long))
		began := time.Now()
		if _, message, err := ws.ReadMessage(); time.Since(began) < long {
			t.Errorf("after %v: %s, %v", time.Since(began), message, err)
		}
		stop()
		_ = ws.Close()
		running.Wait()
	})
}
