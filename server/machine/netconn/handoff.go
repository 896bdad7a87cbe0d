package netconn

import (
	"net"
	"sync"
)

// Handoff is a listener for connections that were accepted elsewhere.
type Handoff struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	close   func() // closes closed; may be called again
}

// NewHandoff returns a listener that gives its address as the one at which the connections were
// accepted.
func NewHandoff(address net.Addr) *Handoff {
	closed := make(chan struct{})
	return &Handoff{
		address: address, conns: make(chan net.Conn), closed: closed,
		close: sync.OnceFunc(func() { close(closed) }),
	}
}

// Take waits until the server accepts the connection. Once the listener is closed, it closes the
// connection.
func (h *Handoff) Take(conn net.Conn) {
	select {
	case h.conns <- conn:
	case <-h.closed:
		_ = conn.Close()
	}
}

// Accept implements net.Listener.
func (h *Handoff) Accept() (net.Conn, error) {
	select {
	case conn := <-h.conns:
		return conn, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *Handoff) Close() error {
	h.close()
	return nil
}

// Addr implements net.Listener.
func (h *Handoff) Addr() net.Addr { return h.address }
