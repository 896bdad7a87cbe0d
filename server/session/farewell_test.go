package session

import (
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/match"
)

// slowConn is a connection whose peer reads everything and stays connected. The peer's
// system acknowledges after a delay.
type slowConn struct {
	net.Conn
	slow  time.Duration
	since time.Time
	known bool // whether this system reports what is acknowledged
}

func (c *slowConn) Unacked() (bytes int, known bool) {
	if time.Since(c.since) < c.slow {
		return 1, c.known
	}
	return 0, c.known
}

// TestLinger tests how long a session waits for a client that stays connected.
func TestLinger(t *testing.T) {
	const second = time.Second
	type want struct{ least, most time.Duration }
	atOnce, soon, named := want{0, lingerStep}, want{lingerTime, lingerTime}, want{ackTime, ackTime}
	const answered = second + quietTime/2 + quietTime
	tests := []struct {
		name string
		owes bool // it owes an answer when the match is over
		// after this time it sends half of it, and the rest quietTime/2 later; 0: never
		sends  time.Duration
		slow   time.Duration
		blind  bool
		linger time.Duration
		reason error
		goesOn bool // the server does not end
		plain  bool // it runs under the name netorcai
		want   want
	}{
		{name: "received everything", linger: 5 * second, reason: match.ErrFinished, want: atOnce},
		{name: "received everything after an abort", linger: 5 * second, reason: match.ErrAborted, want: atOnce},
		{name: "received everything and the server goes on", linger: 5 * second, reason: match.ErrFinished, goesOn: true, want: soon},
		{name: "received everything, but the system does not " +
			"tell", linger: 5 * second, reason: match.ErrFinished, blind: true, want: soon},
		{name: "acknowledges late", slow: second / 5, linger: 5 * second, reason: match.ErrFinished, want: want{second / 5, second/5 + lingerStep}},
		{name: "acknowledges too late", slow: second, linger: 5 * second, reason: match.ErrFinished, want: soon},
		{name: "owes an answer", owes: true, linger: 5 * second, reason: match.ErrFinished, want: want{
			5 * second, 5 * second,
		}},
		{name: "owes an answer at an abort", owes: true, linger: 5 * second, reason: match.ErrAborted, want: atOnce},
		{name: "owes an answer to netorcai", owes: true, plain: true, reason: match.ErrFinished, want: atOnce},
		{name: "acknowledges too late for netorcai", slow: second, plain: true, reason: match.ErrAborted, want: named},
		{name: "owes netorcai an answer and an acknowledgement", owes: true, slow: second, plain: true, reason: match.ErrFinished, want: named},
		{name: "owes an answer and sends it", owes: true, sends: second, linger: 5 * second, reason: match.ErrFinished, want: want{answered, answered + 3*lingerStep}},
		{name: "owes an answer and the server goes on", owes: true, linger: 5 * second, reason: match.ErrFinished, goesOn: true, want: want{5 * second, 5 * second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, client := net.Pipe()
				s := New(OverTCP(
					&slowConn{Conn: server, slow: tt.slow, since: time.Now(), known: !tt.blind}), Options{
					Door: match.New(match.Options{}), Meter: NoMeter{}, LoginTimeout: time.Hour, Linger: tt.linger,
					Netorcai: tt.plain,
				})
				if tt.owes {
					s.state = thinking
				}
				var all sync.WaitGroup
				all.Go(func() { _, _ = io.Copy(io.Discard, client) })
				began := time.Now()
				s.Kick(tt.reason)
				if !tt.goesOn {
					all.Go(s.Finish)
				}
				if tt.sends > 0 {
					all.Go(func() {
						time.Sleep(tt.sends)
						_, _ = client.Write([]byte("ans"))
						time.Sleep(quietTime / 2)
						_, _ = client.Write([]byte("wer"))
					})
				}
				s.Serve()
				if took := time.Since(began); took < tt.want.least || took > tt.want.most {
					t.Errorf("the session took %v, want %v to %v", took, tt.want.least, tt.want.most)
				}
				client.Close()
				all.Wait()
			})
		})
	}
}
