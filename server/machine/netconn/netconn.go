// Package netconn helps to wrap a connection without hiding its methods beyond those of
// [net.Conn].
package netconn

import (
	"net"
	"net/netip"
	"syscall"
)

// Wrapped is a connection to be embedded in a wrapper.
type Wrapped struct{ net.Conn }

// NetConn returns the connection that is wrapped.
func (w Wrapped) NetConn() net.Conn { return w.Conn }

// CloseWrite closes the writing side, if the connection supports that. Web servers use it to
// let the peer close the connection first.
func (w Wrapped) CloseWrite() error { return CloseWrite(w.Conn) }

// As returns the outermost layer of a connection that is a T. A layer is the connection
// itself or what NetConn of another layer returns, such as that of TLS.
func As[T any](conn net.Conn) (layer T, ok bool) {
	for {
		if layer, ok = conn.(T); ok {
			return layer, true
		}
		outer, wraps := conn.(interface{ NetConn() net.Conn })
		if !wraps {
			return layer, false
		}
		conn = outer.NetConn()
	}
}

// AddrPort returns the IP address and port of an address, or zero if it has none. IPv4 addresses
// within IPv6 are returned as IPv4.
func AddrPort(a net.Addr) netip.AddrPort {
	if a == nil {
		return netip.AddrPort{}
	}
	at, _ := netip.ParseAddrPort(a.String()) // zero on errors
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// CloseWrite closes the writing side of a connection, if it supports that.
func CloseWrite(conn net.Conn) error {
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Unacked returns how many of the bytes written to a connection its peer has not
// acknowledged, plus one if the writing side was closed and that is not acknowledged. known
// is false where the system does not tell. Acknowledged bytes have reached the peer's
// system, but its program may not have read them.
func Unacked(conn net.Conn) (bytes int, known bool) {
	if c, ok := As[interface{ Unacked() (int, bool) }](conn); ok { // a layer that knows better
		return c.Unacked()
	}
	if c, ok := As[syscall.Conn](conn); ok {
		return unacked(c)
	}
	return 0, false
}

// SetKeepAlive sets how the system checks whether the peer of an idle connection is still
// there, if the connection supports that.
func SetKeepAlive(conn net.Conn, config net.KeepAliveConfig) {
	if c, ok := As[interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}](conn); ok {
		_ = c.SetKeepAliveConfig(config) // otherwise the system's own applies
	}
}

// SetWriteBuffer limits what the system buffers for a peer that does not read, in bytes, if the
// connection supports that.
func SetWriteBuffer(conn net.Conn, bytes int) {
	if c, ok := As[interface{ SetWriteBuffer(int) error }](conn); ok {
		_ = c.SetWriteBuffer(bytes)
	}
}
