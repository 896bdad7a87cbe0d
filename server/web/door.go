package web

import (
	"net"
	"sync"
)

// door is a listener for connections that somebody else has accepted.
type door struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newDoor(address net.Addr) *door {
	return &door{address: address, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// take waits until the server has the connection, or closes it with the server.
func (d *door) take(conn net.Conn) {
	select {
	case d.conns <- conn:
	case <-d.closed:
		_ = conn.Close()
	}
}

// Accept implements net.Listener.
func (d *door) Accept() (net.Conn, error) {
	select {
	case conn := <-d.conns:
		return conn, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (d *door) Close() error {
	d.once.Do(func() { close(d.closed) })
	return nil
}

// Addr implements net.Listener.
func (d *door) Addr() net.Addr { return d.address }
