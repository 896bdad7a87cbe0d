package sim

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"time"
)

// open returns a listener at an address to which the server may connect. It is closed already if
// the last server has ended.
func (n *network) open(at address, q quality) *listener {
	l := newListener(at)
	l.quality = q
	n.mu.Lock()
	defer n.mu.Unlock()
	n.others[at] = l
	l.closed = n.over
	return l
}

// close closes the listeners of all but the server.
func (n *network) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.over = true
	for _, l := range n.others {
		_ = l.Close()
	}
}

// outgoing is the server's end of the connections that it makes, whose port does not matter.
const outgoing = address("10.0.0.1:1")

// connect connects the server to what listens at an address. It implements botapi.Connect.
func (g *generation) connect(ctx context.Context, _, to string) (net.Conn, error) {
	n := g.net
	n.mu.Lock()
	name := fmt.Sprintf("%sserver to %s", g.name, to)
	n.calls[name]++
	name = fmt.Sprintf("%s #%d", name, n.calls[name])
	l, q := n.others[address(to)], quality{least: distance / 2, most: distance}
	n.mu.Unlock()
	if l != nil {
		q = l.quality
	}
	near, far := newLink(g.World, name, outgoing, address(to), q)
	near.dead = g.listener.dead
	way := &journey{source: g.scheduler.source(name + " connects")}
	if err := way.pass(ctx, near.in.latency()); err != nil {
		return nil, err
	}
	refused := l == nil || g.gone() || !l.arrive(far)
	if err := way.pass(ctx, near.in.latency()); err != nil {
		near.abort(syscall.ECONNRESET)
		return nil, err
	}
	if refused || !g.listener.adopt(near) {
		near.abort(syscall.ECONNRESET)
		return nil, &net.OpError{Op: "dial", Net: "sim", Addr: address(to), Err: syscall.ECONNREFUSED}
	}
	return near, nil
}

// journey is the time that the server waits for an answer of the network.
type journey struct{ source *emitter }

// pass waits until a time has passed, or ctx ends.
func (j *journey) pass(ctx context.Context, d time.Duration) error {
	passed := make(chan struct{})
	j.source.at(time.Now().Add(d), func() { close(passed) })
	select {
	case <-passed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// adopt registers a connection of the server to be ended when it crashes. It returns false if it
// has.
func (l *listener) adopt(c *Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead.Load() {
		return false
	}
	l.taken = append(l.taken, c)
	return true
}
