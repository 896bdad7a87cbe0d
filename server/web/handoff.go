package web

import (
	"context"
	"net"
	"net/http"
)

// sharedAddr marks connections that were accepted by another listener.
type sharedAddr struct{ net.Addr }

// sharedKey is the context key of requests that came to a port which is shared with bots
// and therefore often reachable from everywhere.
type sharedKey struct{}

func contextOf(l net.Listener) context.Context {
	_, shared := l.Addr().(sharedAddr)
	return context.WithValue(context.Background(), sharedKey{}, shared)
}

// ownPort makes a handler answer only requests to the server's own address, and those with an
// operator's token.
func ownPort(
	handler func(*Server, http.ResponseWriter, *http.Request),
) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		if shared, _ := r.Context().Value(sharedKey{}).(bool); shared &&
			(s.opts.Operates == nil || !s.byOperator(r)) {
			fail(w, http.StatusNotFound, "%s is not available on the port of the bots; use the address of "+
				"--http, or send the operator's token", r.URL.Path)
			return
		}
		handler(s, w, r)
	}
}
