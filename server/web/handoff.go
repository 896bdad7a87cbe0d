package web

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// handoffListener is a listener for connections that were accepted elsewhere.
type handoffListener struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	close   func() // closes closed; may be called again
}

func newHandoffListener(address net.Addr) *handoffListener {
	closed := make(chan struct{})
	return &handoffListener{address: address, conns: make(chan net.Conn), closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// take waits until the server accepts the connection; when the server ends it closes it.
func (d *handoffListener) take(conn net.Conn) {
	select {
	case d.conns <- conn:
	case <-d.closed:
		_ = conn.Close()
	}
}

// Accept implements net.Listener.
func (d *handoffListener) Accept() (net.Conn, error) {
	select {
	case conn := <-d.conns:
		return conn, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (d *handoffListener) Close() error {
	d.close()
	return nil
}

// Addr implements net.Listener.
func (d *handoffListener) Addr() net.Addr { return sharedAddr{d.address} }

// sharedAddr marks connections that were accepted by another listener.
type sharedAddr struct{ net.Addr }

// sharedKey is the context key of requests that came to a port which is shared with bots
// and therefore often reachable from everywhere.
type sharedKey struct{}

func contextOf(l net.Listener) context.Context {
	_, shared := l.Addr().(sharedAddr)
	return context.WithValue(context.Background(), sharedKey{}, shared)
}

// ownPort makes a handler answer only requests to the server's own address.
func ownPort(handler func(*Server, http.ResponseWriter, *http.Request)) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		if shared, _ := r.Context().Value(sharedKey{}).(bool); shared {
			fail(w, http.StatusNotFound, "%s is not available on the port of the bots; use the address of --http", r.URL.Path)
			return
		}
		handler(s, w, r)
	}
}
