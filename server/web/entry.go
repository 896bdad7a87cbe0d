package web

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/netconn"
)

// Enter lets a connection from an address in, until leave, or says why not.
type Enter func(address string) (leave func(), refusal string)

// entry is a listener that turns connections away.
type entry struct {
	net.Listener
	enter Enter // nil: everybody comes in
	plain bool  // those who are turned away can read why
}

// Accept implements net.Listener.
func (e entry) Accept() (net.Conn, error) {
	for {
		conn, err := e.Listener.Accept()
		if err != nil || e.enter == nil {
			return conn, err
		}
		leave, refusal := e.enter(conn.RemoteAddr().String())
		if refusal == "" {
			return &guest{netconn.Wrapped{Conn: conn}, sync.OnceFunc(leave)}, nil
		}
		if e.plain { // nothing was written yet, so that this does not wait
			_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
			body := fmt.Sprintf(`{"error":%q}`, refusal)
			fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"+
				"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}
		_ = conn.Close()
	}
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
