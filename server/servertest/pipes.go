package servertest

import (
	"net"
	"sync"
)

// Pipes is a listener without a network, for tests with more connections than a machine has
// ports.
type Pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipes returns a listener.
func NewPipes() *Pipes { return &Pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Dial connects. The arguments are those of net.Dial and are ignored.
func (p *Pipes) Dial(string, string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- near:
		return far, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Accept implements net.Listener.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *Pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *Pipes) Addr() net.Addr {
	near, _ := net.Pipe()
	return near.LocalAddr()
}
