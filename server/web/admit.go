package web

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/panics"
)

// Slot is a connection's share of its port's limit.
type Slot interface {
	// OnEvict sets how to close the connection when it has to make room for another one.
	OnEvict(drop, hard func())
	Keep() bool // a request is being served; false if the connection was dropped
	Yield()     // the request is finished
	Release()   // the connection is closed
}

// Admit admits a connection from an address, or returns why it is refused.
type Admit func(address string) (slot Slot, refusal string)

// limitListener is a listener that refuses connections beyond a limit.
type limitListener struct {
	net.Listener
	admits Admit // nil: every connection is admitted
	plain  bool  // without TLS: a refused client can be told why
	log    zerolog.Logger
}

// Accept implements net.Listener. A panic closes the connection that caused it.
func (l limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || l.admits == nil {
			return conn, err
		}
		var in net.Conn
		if p := panics.Catch(func() { in = l.admit(conn) }); p != nil {
			l.log.Error().Stringer("address", conn.RemoteAddr()).EmbedObject(p).Msg("Letting a connection in failed")
		}
		if in != nil {
			return in, nil
		}
		_ = conn.Close()
	}
}

// admit returns a connection that is admitted. Otherwise it tells the peer why it is
// refused, and returns nil.
func (l limitListener) admit(conn net.Conn) net.Conn {
	slot, refusal := l.admits(conn.RemoteAddr().String())
	if refusal == "" {
		evict := func() { _ = conn.Close() }
		slot.OnEvict(evict, evict)
		return &countedConn{Wrapped: netconn.Wrapped{Conn: conn}, slot: slot}
	}
	if l.plain { // the socket's buffer is empty, so this does not block
		_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
		body := fmt.Sprintf(`{"error":%q}`, refusal)
		fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	return nil
}

// refusalTime limits the time to write a refusal.
const refusalTime = 100 * time.Millisecond

// countedConn is a connection that counts until it is closed.
type countedConn struct {
	netconn.Wrapped
	slot     Slot
	hijacked bool // belongs to the goroutine of the connection's handler
}

// Close implements net.Conn.
func (g *countedConn) Close() error {
	defer g.slot.Release()
	return g.Conn.Close()
}

// countedKey is the context key of a connection that counts.
type countedKey struct{}

// countedConnOf returns the countedConn below a connection of net/http, or nil.
func countedConnOf(conn net.Conn) *countedConn {
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	g, _ := conn.(*countedConn)
	return g
}

// withCountedConn implements http.Server.ConnContext.
func withCountedConn(ctx context.Context, conn net.Conn) context.Context {
	if g := countedConnOf(conn); g != nil {
		return context.WithValue(ctx, countedKey{}, g)
	}
	return ctx
}

// markHijacked implements http.Server.ConnState: a connection that became a WebSocket has
// no more requests and is in use until it is closed.
func markHijacked(conn net.Conn, state http.ConnState) {
	if g := countedConnOf(conn); g != nil && state == http.StateHijacked {
		g.hijacked = true
	}
}

// keepDuringRequest keeps connections from being dropped for others while a request is
// served. Idle connections and those whose request is incomplete can be dropped.
func keepDuringRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g, _ := r.Context().Value(countedKey{}).(*countedConn); g != nil {
			g.slot.Keep()
			defer func() {
				if !g.hijacked {
					g.slot.Yield()
				}
			}()
		}
		next.ServeHTTP(w, r)
	})
}
