package botapi

import (
	"context"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// silentTransport is a transport that receives nothing.
type silentTransport struct{ closed int }

func (*silentTransport) send(htttx.Packet) error    { return nil }
func (*silentTransport) messages() <-chan message   { return nil }
func (*silentTransport) ping(context.Context) error { return nil }
func (w *silentTransport) close(string)             { w.closed++ }

// Reconnect returns when the match has refused the seat.
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
		t.Fatal("Reconnect does not return")
	}
	if first.closed != 1 || second.closed != 0 {
		t.Errorf("closed %d and %d times, want only the seat's own peer", first.closed, second.closed)
	}
}
