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

// silent is a peer that reads all and stays connected. Its system acknowledges what it
// is sent after a time.
type silent struct {
	net.Conn
	slow  time.Duration
	since time.Time
	known bool // whether this system knows what is acknowledged
}

func (c *silent) Unacked() (bytes int, known bool) {
	if time.Since(c.since) < c.slow {
		return 1, c.known
	}
	return 0, c.known
}

// How long a session waits for a client that stays connected, by a simulated clock.
func TestLinger(t *testing.T) {
	const second = time.Second
	type want struct{ least, most time.Duration }
	atOnce, soon := want{0, lingerStep}, want{lingerTime, lingerTime}
	tests := []struct {
		name   string
		owes   bool          // an answer, when the match is over
		says   time.Duration // after this time it sends something; 0: never
		slow   time.Duration
		blind  bool
		linger time.Duration
		reason error
		goesOn bool // the server does not end
		want   want
	}{
		{name: "has all", linger: 5 * second, reason: match.ErrFinished, want: atOnce},
		{name: "has all after an abort", linger: 5 * second, reason: match.ErrAborted, want: atOnce},
		{name: "has all and the server goes on", linger: 5 * second, reason: match.ErrFinished, goesOn: true, want: soon},
		{name: "has all, but the system does not tell", linger: 5 * second, reason: match.ErrFinished, blind: true, want: soon},
		{name: "acknowledges late", slow: second / 5, linger: 5 * second, reason: match.ErrFinished, want: want{second / 5, second/5 + lingerStep}},
		{name: "acknowledges too late", slow: second, linger: 5 * second, reason: match.ErrFinished, want: soon},
		{name: "owes an answer", owes: true, linger: 5 * second, reason: match.ErrFinished, want: want{5 * second, 5 * second}},
		{name: "owes an answer at an abort", owes: true, linger: 5 * second, reason: match.ErrAborted, want: atOnce},
		{name: "owes an answer to netorcai", owes: true, reason: match.ErrFinished, want: atOnce},
		{name: "owes an answer and sends it", owes: true, says: second, linger: 5 * second, reason: match.ErrFinished, want: want{second, second + 3*lingerStep}},
		{name: "owes an answer and the server goes on", owes: true, linger: 5 * second, reason: match.ErrFinished, goesOn: true, want: want{5 * second, 5 * second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, client := net.Pipe()
				s := New(OverTCP(&silent{Conn: server, slow: tt.slow, since: time.Now(), known: !tt.blind}), Options{
					Door: match.New(match.Options{}), Codec: NewCodec(), Meter: NoMeter{}, LoginTimeout: time.Hour, Linger: tt.linger,
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
				if tt.says > 0 {
					all.Go(func() {
						time.Sleep(tt.says)
						_, _ = client.Write([]byte("answer"))
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
