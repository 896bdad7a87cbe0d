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

// Root is a process that was started. It stands for all its descendants.
type Root struct {
	PID int
	// Mark is a unique entry of its environment, KEY=value. It identifies a descendant whose
	// parent has ended.
	Mark string
}

// Finding describes the process behind a connection.
type Finding struct {
	// Root is the index of the root that the process belongs to, or -1.
	Root int
	// Descends reports that the process is the root or a descendant. Otherwise it has the
	// root's mark in its environment, which is only a hint: a process can choose the
	// environment of the programs that it runs.
	Descends bool
}

// Unknown is the finding for a process that belongs to no root or to several.
var Unknown = Finding{Root: -1}

// ErrUnsupported is the error on systems that do not tell which process holds a socket.
var ErrUnsupported = errors.New("the process behind a connection cannot be found on this system")

// Supported reports whether Find can find the processes behind connections to a TCP port on
// which this process listens.
func Supported(port uint16) bool { return supported(port) }

// Find finds the process behind a connection from peer to a port of this machine, among the
// roots and their descendants. It takes milliseconds. A connection from another machine, or
// one that has ended, is Unknown.
func Find(peer netip.AddrPort, port uint16, roots []Root) (Finding, error) {
	return find(netip.AddrPortFrom(peer.Addr().Unmap().WithZone(""), peer.Port()), port, roots)
}

// Marked returns the ids of the processes that were started with an entry, KEY=value, in
// their environment. On systems other than Linux it returns none.
func Marked(entry string) []int { return marked(entry) }
