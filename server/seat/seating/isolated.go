package seating

import (
	"fmt"
	"net"

	"github.com/hexarena/hexarena/server/machine/panics"
)

// maxIsolated bounds the connections that a bot has from its sandbox at a time: one to play, and
// some that it opens before it has closed others.
const maxIsolated = 4

// acceptFrom takes in the connections from a bot's sandbox until that is closed. They are the bot's
// own, which needs no proof.
func (p *Processes) acceptFrom(r *running) {
	free := make(chan struct{}, maxIsolated) // what is beyond waits in the system's queue
	for n := 1; ; n++ {
		free <- struct{}{}
		conn, err := r.bot.Sandbox.Accept()
		if err != nil {
			return
		}
		named := &sandboxConn{
			conn, sandboxAddr(fmt.Sprintf("process %d (isolated, connection %d)", r.proc.PID(), n)),
		}
		panics.Go(&p.serving, func() {
			defer func() { <-free }()
			p.server.Take(named, r.seat.Load())
		}, func(failed *panics.Error) {
			panics.Logged(p.log, "Taking a connection in failed")(failed)
			_ = conn.Close()
		})
	}
}

// sandboxConn is a connection from a sandbox. Sockets of its kind have no names, so that it gets
// one.
type sandboxConn struct {
	*net.UnixConn
	name sandboxAddr
}

// RemoteAddr implements net.Conn.
func (c *sandboxConn) RemoteAddr() net.Addr { return c.name }

// sandboxAddr is the name of a connection from a sandbox.
type sandboxAddr string

func (sandboxAddr) Network() string  { return "unix" }
func (a sandboxAddr) String() string { return string(a) }
