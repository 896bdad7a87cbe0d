package join

import (
	"context"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/wsconn"
)

// A connection that carries nothing, not even the answer to a ping, for silence is broken: a proxy
// or a network that is gone sends no error. Pings come often enough to get through once before
// that.
const (
	pingInterval = 4 * time.Second
	silence      = 10 * time.Second
	writeTime    = 10 * time.Second // for the system to take a message
)

// link is a connection to the server.
type link struct {
	*wsconn.Conn
	asked    int  // number of the newest TURN that came here and was not answered here; -1: none
	loggedIn bool // the server has accepted the LOGIN
	seated   bool // a GAME_STARTS came
}

// dial opens a connection to the server.
func dial(ctx context.Context, at Address) (*link, error) {
	l := &link{asked: -1}
	conn, err := wsconn.Dial(ctx, at.socket(), func(bool) { l.heard() })
	if err != nil {
		return nil, err
	}
	// The end of a connection is acknowledged once the relay closes it, for which the server waits:
	// until then it answers the request for the result of the last match.
	conn.SetCloseHandler(func(int, string) error { return nil })
	l.Conn = conn
	l.heard()
	return l, nil
}

// heard extends the time until the connection counts as broken.
func (l *link) heard() { _ = l.SetReadDeadline(time.Now().Add(silence)) }

// read passes on each message until the connection ends, and returns why.
func (l *link) read(receive func(content []byte)) error {
	for {
		content, err := l.ReadText(nil, netorcai.Limit, nil)
		if err != nil {
			return err
		}
		l.heard()
		receive(content)
	}
}

// ping sends pings until the connection breaks or ctx ends.
func (l *link) ping(ctx context.Context) {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if l.Ping(writeTime) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// send sends a message. An error shows when the connection is read.
func (l *link) send(content []byte) {
	_ = l.SetWriteDeadline(time.Now().Add(writeTime))
	if l.WriteText(content) != nil {
		_ = l.Close()
	}
}
