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

// maxIdle is the number of messages that Idle drops: spectators have no reason to send any.
const maxIdle = 100

// Idle waits until done is closed, and drops what a peer that has no seat sends. It returns false
// if the peer has disconnected or sends too much.
func (p *Peer) Idle(done <-chan struct{}) bool {
	for {
		select {
		case <-done:
			return true
		case h := <-p.transport.messages():
			if p.idle++; h.err != nil || p.idle > maxIdle {
				return false
			}
		}
	}
}

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
