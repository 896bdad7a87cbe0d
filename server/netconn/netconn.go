// Package netconn puts something around a connection without hiding what the
// connection can do beyond [net.Conn].
package netconn

import "net"

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

// SetWriteBuffer bounds what the system keeps for a peer that does not read, where
// the connection can.
func (w Wrapped) SetWriteBuffer(bytes int) error {
	if c, ok := w.Conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		return c.SetWriteBuffer(bytes)
	}
	return nil
}
