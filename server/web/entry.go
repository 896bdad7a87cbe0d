package web

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/panics"
)

// Enter lets a connection from an address in, until leave, or says why not.
type Enter func(address string) (leave func(), refusal string)

// entry is a listener that turns connections away.
type entry struct {
	net.Listener
	enter Enter // nil: everybody comes in
	plain bool  // those who are turned away can read why
	log   zerolog.Logger
}

// Accept implements net.Listener. A panic over a connection closes that one.
func (e entry) Accept() (net.Conn, error) {
	for {
		conn, err := e.Listener.Accept()
		if err != nil || e.enter == nil {
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

// admit is a connection that is let in. Else it tells why not, and is nil.
func (e entry) admit(conn net.Conn) net.Conn {
	leave, refusal := e.enter(conn.RemoteAddr().String())
	if refusal == "" {
		return &guest{netconn.Wrapped{Conn: conn}, sync.OnceFunc(leave)}
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
	leave func()
}

// Close implements net.Conn.
func (g *guest) Close() error {
	defer g.leave()
	return g.Conn.Close()
}
