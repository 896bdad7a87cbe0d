package botapi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

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

// frozenTransport is one whose peer does not answer the closing handshake until it thaws.
type frozenTransport struct {
	silentTransport
	thawed chan struct{}
}

func (f *frozenTransport) send(htttx.Packet) error { <-f.thawed; return nil }
func (f *frozenTransport) close(reason string) {
	<-f.thawed
	f.silentTransport.close(reason)
}

// A peer that comes back does not wait, while its clock runs, until its old connection is closed.
func TestReturnBesideFrozenConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := frozenTransport{thawed: make(chan struct{})}, silentTransport{}
		back := make(chan bool, 1)
		s := NewSeat(&Peer{transport: &first}, Options{
			Grace: time.Minute, Log: zerolog.Nop(), Presence: func(connected bool) { back <- connected },
		})
		ctx, stop := context.WithCancel(t.Context())
		go s.Serve(ctx)
		if !s.Reconnect(&Peer{transport: &second}) {
			t.Error("the seat does not take the peer")
		}
		select {
		case <-back:
		case <-time.After(time.Second):
			t.Error("the seat waits for the connection that was replaced")
		}
		close(first.thawed)
		stop()
		synctest.Wait()
		if first.closed != 1 || second.closed != 1 {
			t.Errorf("closed %d and %d times, want once each", first.closed, second.closed)
		}
	})
}
