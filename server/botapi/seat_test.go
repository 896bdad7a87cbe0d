package botapi

import (
	"context"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// mute is a way to a peer that says nothing.
type silentTransport struct{ closed int }

func (*silentTransport) send(htttx.Packet) error    { return nil }
func (*silentTransport) messages() <-chan message   { return nil }
func (*silentTransport) ping(context.Context) error { return nil }
func (w *silentTransport) close(string)             { w.closed++ }

// A peer that comes back to a seat that the match refused does not wait for ever.
func TestReturnToClosedSeat(t *testing.T) {
	var first, second silentTransport
	s := NewSeat(&Peer{transport: &first}, Options{})
	back := make(chan bool)
	go func() { back <- s.Reconnect(&Peer{transport: &second}) }()
	s.Close()
	select {
	case taken := <-back:
		if taken {
			t.Error("the seat took the peer")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the peer waits")
	}
	if first.closed != 1 || second.closed != 0 {
		t.Errorf("closed %d and %d times, want only the seat's own peer", first.closed, second.closed)
	}
}
