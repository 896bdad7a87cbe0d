package limits

import (
	"net"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Listener counts the connections that it accepts until they are closed, and closes those
// that its port refuses.
type Listener struct {
	net.Listener
	// nil: every connection is admitted, and none is counted
	Port *Port
	// may tell the peer why, before it is closed; may be nil
	Refuse func(conn net.Conn, refusal string)
	Log    zerolog.Logger // for panics
}

// Conn is a connection that a Listener has accepted. Any goroutine may mark its slot.
type Conn struct {
	netconn.Wrapped
	Slot *Slot
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	defer c.Slot.Release()
	return c.Wrapped.Close()
}

// Accept implements net.Listener. A panic closes the connection that caused it.
func (l Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || l.Port == nil {
			return conn, err
		}
		var in net.Conn
		if p := panics.Catch(func() { in = l.admit(conn) }); p != nil {
			l.Log.Error().Stringer("address", conn.RemoteAddr()).EmbedObject(p).Msg(
				"Letting a connection in failed")
		}
		if in != nil {
			return in, nil
		}
		_ = conn.Close()
	}
}

// admit returns a connection that is admitted, or nil.
func (l Listener) admit(conn net.Conn) net.Conn {
	slot, refusal := l.Port.Admit(conn.RemoteAddr().String())
	if refusal == "" {
		evict := func() { _ = conn.Close() }
		slot.OnEvict(evict, evict)
		return &Conn{netconn.Wrapped{Conn: conn}, slot}
	}
	if l.Refuse != nil {
		l.Refuse(conn, refusal)
	}
	return nil
}
