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

// Slot is a connection's place in the budget of its port.
type Slot interface {
	// OnEvict sets what closes the connection when it has to make room for another.
	OnEvict(drop, hard func())
	Keep() bool // a request is under way; false: the connection was dropped
	Yield()     // no request is
	Release()   // the connection is closed
}

// Admit admits a connection from an address, or returns why it is refused.
type Admit func(address string) (slot Slot, refusal string)

// entry is a listener that turns connections away.
type entry struct {
	net.Listener
	admits Admit // nil: every connection is admitted
	plain  bool  // those who are turned away can read why
	log    zerolog.Logger
}

// Accept implements net.Listener. A panic over a connection closes that one.
func (e entry) Accept() (net.Conn, error) {
	for {
		conn, err := e.Listener.Accept()
		if err != nil || e.admits == nil {
			return conn, err
		}
		var in net.Conn
		if p := panics.Catch(func() { in = e.admit(conn) }); p != nil {
			e.log.Error().Stringer("address", conn.RemoteAddr()).EmbedObject(p).Msg("Letting a connection in failed")
		}
		if in != nil {
			return in, nil
		}
		_ = conn.Close()
	}
}

// admit returns a connection that is admitted. Otherwise it tells the peer why not,
// and returns nil.
func (e entry) admit(conn net.Conn) net.Conn {
	slot, refusal := e.admits(conn.RemoteAddr().String())
	if refusal == "" {
		evict := func() { _ = conn.Close() }
		slot.OnEvict(evict, evict)
		return &guest{Wrapped: netconn.Wrapped{Conn: conn}, slot: slot}
	}
	if e.plain { // nothing was written yet, so that this does not wait
		_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
		body := fmt.Sprintf(`{"error":%q}`, refusal)
		fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	return nil
}

// refusalTime bounds the writing of a refusal.
const refusalTime = 100 * time.Millisecond

// guest is a connection that counts until it is closed.
type guest struct {
	netconn.Wrapped
	slot     Slot
	hijacked bool // belongs to the goroutine of the connection's handler
}

// Close implements net.Conn.
func (g *guest) Close() error {
	defer g.slot.Release()
	return g.Conn.Close()
}

// guestKey is set in the context of a connection that counts.
type guestKey struct{}

// guestOf returns the connection that counts, of one that net/http serves; nil if
// that is not counted.
func guestOf(conn net.Conn) *guest {
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	g, _ := conn.(*guest)
	return g
}

// withGuest implements http.Server.ConnContext.
func withGuest(ctx context.Context, conn net.Conn) context.Context {
	if g := guestOf(conn); g != nil {
		return context.WithValue(ctx, guestKey{}, g)
	}
	return ctx
}

// noteHijack implements http.Server.ConnState: a connection that became a WebSocket
// has no more requests, and is in use until it is closed.
func noteHijack(conn net.Conn, state http.ConnState) {
	if g := guestOf(conn); g != nil && state == http.StateHijacked {
		g.hijacked = true
	}
}

// underWay keeps connections from being dropped for others while a request is
// answered: one that is idle, or whose request is not complete, is not kept.
func underWay(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g, _ := r.Context().Value(guestKey{}).(*guest); g != nil {
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
