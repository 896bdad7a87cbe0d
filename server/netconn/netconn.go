// Package netconn helps to wrap a connection without hiding its methods beyond those of
// [net.Conn].
package netconn

import (
	"net"
	"syscall"
)

// Wrapped is a connection to be embedded in a wrapper.
type Wrapped struct{ net.Conn }

// CloseWrite closes the writing side, if the connection supports that. Web servers use it to
// let the peer close the connection first.
func (w Wrapped) CloseWrite() error {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Unacked calls the function Unacked.
func (w Wrapped) Unacked() (bytes int, known bool) { return Unacked(w.Conn) }

// Unacked returns how many of the bytes written to a connection its peer has not
// acknowledged, plus one if the writing side was closed and that is not acknowledged. known
// is false where the system does not tell. Acknowledged bytes have reached the peer's
// system, but its program may not have read them.
func Unacked(conn net.Conn) (bytes int, known bool) {
	switch c := conn.(type) {
	case interface{ Unacked() (int, bool) }:
		return c.Unacked()
	case syscall.Conn:
		return unacked(c)
	case interface{ NetConn() net.Conn }: // such as TLS
		return Unacked(c.NetConn())
	}
	return 0, false
}

// SetKeepAliveConfig calls the function SetKeepAlive.
func (w Wrapped) SetKeepAliveConfig(c net.KeepAliveConfig) error { return SetKeepAlive(w.Conn, c) }

// SetKeepAlive sets how the system checks whether the peer of an idle connection is still
// there, if the connection supports that.
func SetKeepAlive(conn net.Conn, config net.KeepAliveConfig) error {
	switch c := conn.(type) {
	case interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}:
		return c.SetKeepAliveConfig(config)
	case interface{ NetConn() net.Conn }: // such as TLS
		return SetKeepAlive(c.NetConn(), config)
	}
	return nil
}

// SetWriteBuffer limits what the system buffers for a peer that does not read, if the
// connection supports that.
func (w Wrapped) SetWriteBuffer(bytes int) error {
	if c, ok := w.Conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		return c.SetWriteBuffer(bytes)
	}
	return nil
}
