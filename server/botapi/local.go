package botapi

import (
	"context"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Mind is a player in this process. It answers soon after ctx ends.
type Mind func(ctx context.Context, m htttx.MoveRequest) htttx.MoveResponse

// Local is a peer in this process, which plays as if it were at the other end of
// a connection.
func Local(name string, mind Mind) *Peer {
	l := &local{mind: mind, ears: make(chan heard)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return &Peer{Name: clipped(name), Address: "here", socket: htttx.Socket{MoveTimeLimit: true}, free: true, way: l}
}

// local is the way to a mind. It understands nothing but requests for moves. A mind
// that panics harms nobody but itself.
type local struct {
	mind   Mind
	ctx    context.Context // of the thinking
	cancel context.CancelFunc
	ears   chan heard
	busy   sync.WaitGroup
}

func (l *local) send(p htttx.Packet) error {
	m, ok := p.(htttx.MoveRequest)
	if !ok {
		return nil
	}
	l.busy.Go(func() {
		h := hearing(func(h *heard) { h.packet, h.at = l.mind(l.ctx, m), time.Now() })
		select {
		case l.ears <- h:
		case <-l.ctx.Done():
		}
	})
	return nil
}

func (l *local) heard() <-chan heard        { return l.ears }
func (l *local) ping(context.Context) error { return nil }

func (l *local) close(string) {
	l.cancel()
	l.busy.Wait()
}
