// Package netconn puts something around a connection without hiding what the
// connection can do beyond [net.Conn].
package netconn

import (
	"net"
	"syscall"
)

// Wrapped is a connection to be embedded in what is put around it.
type Wrapped struct{ net.Conn }

// CloseWrite says that nothing more will come, where the connection can: for
// whoever lets the peer hang up first, as web servers do.
func (w Wrapped) CloseWrite() error {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Unacked is the function of that name.
func (w Wrapped) Unacked() (bytes int, known bool) { return Unacked(w.Conn) }

// Unacked returns how many of the bytes written to a connection its peer has not
// acknowledged, one more if it was closed for writing and the peer does not know; known
// is false where the system does not tell. The peer's program may not have read what is
// acknowledged, but its system has it.
func Unacked(conn net.Conn) (bytes int, known bool) {
	switch c := conn.(type) {
	case interface{ Unacked() (int, bool) }:
		return c.Unacked()
	case syscall.Conn:
		return unacked(c)
	case interface{ NetConn() net.Conn }: // such as of TLS
		return Unacked(c.NetConn())
	}
	return 0, false
}

// SetWriteBuffer bounds what the system keeps for a peer that does not read, where
// the connection can.
func (w Wrapped) SetWriteBuffer(bytes int) error {
	if c, ok := w.Conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		return c.SetWriteBuffer(bytes)
	}
	return nil
}
