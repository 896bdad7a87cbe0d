package botapi

import (
	"context"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Socket is what the peer can do over the way that was chosen. Of a stateless
// one, the move time limit is all that is declared.
func (p *Peer) Socket() htttx.Socket { return p.socket }

// Stateless reports whether the peer is asked over HTTP, each time with the whole
// position. Of what it is sent it understands move requests with a board.
func (p *Peer) Stateless() bool {
	_, ok := p.transport.(*stateless)
	return ok
}

// Send sends a packet to a peer that has no seat: whoever calls it speaks with the
// peer in the seat's place. One goroutine may.
func (p *Peer) Send(m htttx.Packet) error { return p.transport.send(m) }

// Hear is the next packet from a peer that has no seat. After an error there is
// none, unless the context has ended.
func (p *Peer) Receive(ctx context.Context) (htttx.Packet, error) {
	select {
	case h := <-p.transport.messages():
		return h.packet, h.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
