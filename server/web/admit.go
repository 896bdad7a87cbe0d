package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/netconn"
)

// refusalTime limits the time to write a refusal.
const refusalTime = 100 * time.Millisecond

// refuse tells the peer of a new connection why it is refused, unless the peer expects TLS.
func (s *Server) refuse(conn net.Conn, refusal string) {
	if s.opts.Refused != nil {
		s.opts.Refused(refusal)
	}
	if s.secure != nil {
		return
	}
	// does not block: the socket's buffer is empty
	_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
	body := fmt.Sprintf(`{"error":%q}`, refusal)
	fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// sentBuffer is the size of the system's buffer for a connection; the system may use up to
// twice that. It suffices for 600 kB a second with a round trip of 100 ms.
const sentBuffer = 32 << 10

// slotKey is the context key of the slot of a request's connection.
type slotKey struct{}

// connContext implements http.Server.ConnContext. It limits the system's buffer of the
// connection, which could otherwise grow to megabytes for each of thousands of clients that do
// not read.
func connContext(ctx context.Context, conn net.Conn) context.Context {
	netconn.SetWriteBuffer(conn, sentBuffer)
	if c, ok := netconn.As[*limits.Conn](conn); ok {
		ctx = context.WithValue(ctx, slotKey{}, c.Slot)
	}
	return ctx
}

// keepDuringRequest keeps connections from being dropped for others while a request is
// served. Idle connections and those whose request is incomplete can be dropped.
func keepDuringRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slot, _ := r.Context().Value(slotKey{}).(*limits.Slot)
		slot.Keep()
		next.ServeHTTP(w, r)
	})
}

// yieldWhenIdle implements http.Server.ConnState. A connection that has become a WebSocket is
// never idle, so it is kept until it is closed.
func yieldWhenIdle(conn net.Conn, state http.ConnState) {
	if c, ok := netconn.As[*limits.Conn](conn); ok && state == http.StateIdle {
		c.Slot.Yield()
	}
}
