package botapi

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// failingConn is a connection that panics in its nth read, write, ping or close.
type failingConn struct {
	wsConn
	reads, writes, pings, closes int
}

func (b *failingConn) read(ctx context.Context) ([]byte, error) {
	if b.reads--; b.reads == 0 {
		panic("the reader broke")
	}
	return b.wsConn.read(ctx)
}

func (b *failingConn) write(ctx context.Context, data []byte) error {
	if b.writes--; b.writes == 0 {
		panic("the writer broke")
	}
	return b.wsConn.write(ctx, data)
}

func (b *failingConn) ping(ctx context.Context) error {
	if b.pings--; b.pings == 0 {
		panic("the pinger broke")
	}
	return b.wsConn.ping(ctx)
}

func (b *failingConn) close(reason string) {
	defer b.wsConn.close(reason)
	if b.closes--; b.closes == 0 {
		panic("the goodbye broke")
	}
}

// A panic while serving a bot is logged once and costs that bot its seat. The other
// bot wins.
func TestPanicOverABot(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, b := range []*failingConn{{reads: 3}, {writes: 3}, {pings: 1}} {
		well := &testBot{caps: baseCaps}
		if b.pings > 0 { // pings are sent while the other bot thinks
			well.play = playInOrder(time.Second)
		}
		d := NewDialer(false, zerolog.Nop())
		x, err := d.Dial(t.Context(), well.start(t))
		if err != nil {
			t.Fatal(err)
		}
		poor := &testBot{caps: baseCaps}
		url := strings.Replace(poor.start(t), "http", "ws", 1) + "/game"
		if b.wsConn, err = dialSocket(t.Context(), url, http.DefaultClient); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer // written only by the bot's seat
		o := &Peer{Name: "poor", Address: url, transport: newSocket(b)}
		e := testMatch{log: zerolog.New(&log), heartbeat: 100 * time.Millisecond}.play(t, x, o)
		if e.Err != nil || e.Winner != 0 || !strings.Contains(e.Seats[1].Reason, "broke") {
			t.Errorf("the match ended with %+v", e)
		}
		if n := strings.Count(log.String(), `"panic":"the `); n != 1 ||
			!strings.Contains(log.String(), "(*failingConn)") {
			t.Errorf("the log has %d panics:\n%s", n, log.String())
		}
		well.waitClosed(t)
		poor.waitClosed(t)
		d.Close()
	}
}

// A panic while closing the connection is logged, and the connection is closed.
func TestPanicAfterAGame(t *testing.T) {
	var log servertest.Log
	d := NewDialer(false, zerolog.Nop())
	defer d.Close()
	b := &testBot{caps: baseCaps}
	url := strings.Replace(b.start(t), "http", "ws", 1) + "/game"
	l, err := dialSocket(t.Context(), url, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSeat(&Peer{Name: "poor", transport: newSocket(&failingConn{wsConn: l, closes: 1})},
		Options{Heartbeat: time.Minute, Log: zerolog.New(&log)})
	s.Kick(match.ErrFinished)
	s.Serve(t.Context())
	if lines := log.About("the goodbye broke"); len(lines) != 1 ||
		!strings.Contains(lines[0], "Closing the connection failed") {
		t.Errorf("the log has of the panic: %q", lines)
	}
	b.waitClosed(t)
}
