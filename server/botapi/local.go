package botapi

import (
	"context"
	"fmt"
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

// local is the way to a mind. It understands nothing but requests for moves.
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
		h := heard{}
		h.packet, h.err = l.think(m)
		h.at = time.Now()
		select {
		case l.ears <- h:
		case <-l.ctx.Done():
		}
	})
	return nil
}

// think asks the mind. One that panics harms nobody but itself.
func (l *local) think(m htttx.MoveRequest) (p htttx.Packet, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return l.mind(l.ctx, m), nil
}

func (l *local) heard() <-chan heard        { return l.ears }
func (l *local) ping(context.Context) error { return nil }

func (l *local) close(string) {
	l.cancel()
	l.busy.Wait()
}
