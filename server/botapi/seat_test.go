package botapi

import (
	"context"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// mute is a way to a peer that says nothing.
type mute struct{ closed int }

func (*mute) send(htttx.Packet) error    { return nil }
func (*mute) heard() <-chan heard        { return nil }
func (*mute) ping(context.Context) error { return nil }
func (w *mute) close(string)             { w.closed++ }

// A peer that comes back to a seat that the match refused does not wait for ever.
func TestReturnToClosedSeat(t *testing.T) {
	var first, second mute
	s := NewSeat(&Peer{way: &first}, Options{})
	back := make(chan bool)
	go func() { back <- s.Return(&Peer{way: &second}) }()
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
