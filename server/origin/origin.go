// Package origin finds the process at the other end of a TCP connection from
// this machine, and which of some started processes it belongs to.
//
// On Linux it reads /proc: the socket's inode from net/tcp, its holder from the
// descriptors of processes, and the holder's ancestors. Elsewhere, and where /proc
// does not show them, it finds nothing. It starts no goroutine.
package origin

import (
	"errors"
	"net/netip"
)

// Root is a process that was started, and stands for all its descendants.
type Root struct {
	PID int
	// Mark is an entry of its environment, KEY=value, that no other has. It is
	// what remains of a descendant whose parent has ended.
	Mark string
}

// Finding is what is known of the process behind a connection.
type Finding struct {
	// Root is the index of the root that the process belongs to, or -1.
	Root int
	// Descends reports that the process is the root or descends from it. Otherwise it
	// has the root's mark in its environment, which is a hint only: a process
	// can choose the environment that it runs a program with.
	Descends bool
}

// Unknown is the finding for a process that belongs to no root, or to several.
var Unknown = Finding{Root: -1}

// ErrUnsupported means that this system does not tell which process holds a socket.
var ErrUnsupported = errors.New("the process behind a connection cannot be found on this system")

// Supported reports whether Find can find the processes behind connections to a TCP
// port that this process listens on.
func Supported(port uint16) bool { return supported(port) }

// Find finds the process behind a connection that came from the address peer to the
// port of this machine, among the roots and their descendants. It takes
// milliseconds. A connection from elsewhere, or one that has ended, is Unknown.
func Find(peer netip.AddrPort, port uint16, roots []Root) (Finding, error) {
	return find(netip.AddrPortFrom(peer.Addr().Unmap().WithZone(""), peer.Port()), port, roots)
}

// Marked returns the ids of the processes whose program was started with an entry,
// KEY=value, in its environment. Elsewhere than on Linux it returns none.
func Marked(entry string) []int { return marked(entry) }
