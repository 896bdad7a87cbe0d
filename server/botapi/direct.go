package botapi

import (
	"context"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Socket returns what the peer supports over the chosen transport. A stateless peer
// declares only the move time limit.
func (p *Peer) Socket() htttx.Socket { return p.socket }

// Stateless reports whether moves are requested over HTTP, each time with the whole
// position. Such a peer understands only move requests with a board.
func (p *Peer) Stateless() bool {
	_, ok := p.transport.(*stateless)
	return ok
}

// Send sends a packet to a peer that has no seat. It must not be called
// concurrently.
func (p *Peer) Send(m htttx.Packet) error { return p.transport.send(m) }

// Receive returns the next packet from a peer that has no seat. It must not be
// called after an error other than that of ctx.
func (p *Peer) Receive(ctx context.Context) (htttx.Packet, error) {
	select {
	case h := <-p.transport.messages():
		return h.packet, h.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
