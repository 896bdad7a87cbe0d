package web

import (
	"errors"
	"net"
	"net/netip"
	"syscall"

	"github.com/hexarena/hexarena/server/machine/netconn"
)

// wsaAddrInUse is EADDRINUSE on Windows.
const wsaAddrInUse = syscall.Errno(10048)

func addressTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaAddrInUse)
}

// local returns the address at which programs on this machine reach a listener.
func local(a net.Addr) string {
	at := netconn.AddrPort(a)
	if at.Addr().IsUnspecified() {
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at.String()
}

// publicURL returns the page's address for other machines, such as
// "http://192.168.1.5:8080/": at the server's own listener or, since the port of the bots
// answers the same requests, at one of the given addresses. It is empty if none is known.
func (s *Server) publicURL(bots []string) string {
	for _, address := range append(Reachable(s.Addr()), bots...) {
		if at, err := netip.ParseAddrPort(address); err == nil && !at.Addr().IsLoopback() {
			return s.scheme() + address + "/"
		}
	}
	return ""
}

// Reachable returns the addresses at which others reach a listener, such as
// "192.168.1.5:4242": its own address or, if it listens on all interfaces, those of this
// machine's networks. If it finds none, it returns the address for this machine.
func Reachable(a net.Addr) []string {
	at := netconn.AddrPort(a)
	if !at.Addr().IsUnspecified() {
		return []string{local(a)}
	}
	var list []string
	networks, _ := net.InterfaceAddrs() // an error is treated like an empty list
	for _, network := range networks {
		prefix, err := netip.ParsePrefix(network.String())
		if ip := prefix.Addr().Unmap(); err == nil && ip.Is4() && ip.IsGlobalUnicast() {
			list = append(list, netip.AddrPortFrom(ip, at.Port()).String())
		}
	}
	if len(list) == 0 {
		list = append(list, local(a))
	}
	return list
}
