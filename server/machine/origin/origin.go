// Package origin finds the process at the other end of a TCP connection from this machine,
// and which of the started processes it belongs to.
//
// On Linux it reads /proc: the socket's inode from net/tcp, the process that holds it from
// the descriptors of processes, and that process's ancestors. On other systems, and where
// /proc hides them, it finds nothing. It starts no goroutine.
package origin

import (
	"errors"
	"net/netip"
)

// Unknown stands for no root.
const Unknown = -1

// ErrUnsupported is the error on systems that do not tell which process holds a socket.
var ErrUnsupported = errors.New("the process behind a connection cannot be found on this system")

// Supported reports whether Find can find the processes behind connections to a TCP port on
// which this process listens.
func Supported(port uint16) bool { return supported(port) }

// Find returns which of the roots, processes that were started, has made a connection from peer
// to a port of this machine, itself or by a descendant: an index, or Unknown for a process that
// belongs to no root or to several, a connection from another machine, or one that has ended. It
// takes milliseconds.
func Find(peer netip.AddrPort, port uint16, roots []int) (int, error) {
	return find(netip.AddrPortFrom(peer.Addr().Unmap().WithZone(""), peer.Port()), port, roots)
}

// Children returns the ids of the children of a process. On systems other than Linux it returns
// none.
func Children(pid int) []int { return children(pid) }
