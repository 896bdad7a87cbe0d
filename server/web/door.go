package web

import (
	"context"
	"net"
	"net/http"
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
func (d *door) Addr() net.Addr { return borrowed{d.address} }

// borrowed is the address of a listener for connections to another one.
type borrowed struct{ net.Addr }

// sharedKey is set in the context of requests that came to a port which others
// share: bots of all the world find that one.
type sharedKey struct{}

func contextOf(l net.Listener) context.Context {
	_, shared := l.Addr().(borrowed)
	return context.WithValue(context.Background(), sharedKey{}, shared)
}

// ownPort has only those answered who came to the server's own address.
func ownPort(handler func(*Server, http.ResponseWriter, *http.Request)) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		if shared, _ := r.Context().Value(sharedKey{}).(bool); shared {
			fail(w, http.StatusNotFound, "%s is not on the port of the bots; it is at the address of --http", r.URL.Path)
			return
		}
		handler(s, w, r)
	}
}
