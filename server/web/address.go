package web

import (
	"errors"
	"net"
	"strconv"
	"syscall"
)

// wsaAddrInUse is EADDRINUSE on Windows.
const wsaAddrInUse = syscall.Errno(10048)

func addressTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaAddrInUse)
}

// local returns the address at which programs on this machine reach a listener.
func local(a *net.TCPAddr) string {
	ip := a.IP
	if ip.IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	return net.JoinHostPort(ip.String(), strconv.Itoa(a.Port))
}

// publicURL returns the page's address for other machines, such as
// "http://192.168.1.5:8080/": at the server's own listener or, since the port of the bots
// answers the same requests, at one of the given addresses. It is empty if none is known.
func (s *Server) publicURL(bots []string) string {
	for _, address := range append(Reachable(s.Addr()), bots...) {
		host, _, err := net.SplitHostPort(address)
		if ip := net.ParseIP(host); err == nil && ip != nil && !ip.IsLoopback() {
			return s.scheme() + address + "/"
		}
	}
	return ""
}

// Reachable returns the addresses at which others reach a listener, such as
// "192.168.1.5:4242": its own address or, if it listens on all interfaces, those of this
// machine's networks. If there are none, it returns the address for this machine.
func Reachable(a *net.TCPAddr) []string {
	if !a.IP.IsUnspecified() {
		return []string{local(a)}
	}
	var list []string
	addresses, _ := net.InterfaceAddrs() // an error is treated like an empty list
	for _, address := range addresses {
		n, ok := address.(*net.IPNet)
		if !ok || !n.IP.IsGlobalUnicast() || n.IP.To4() == nil {
			continue
		}
		list = append(list, net.JoinHostPort(n.IP.String(), strconv.Itoa(a.Port)))
	}
	if len(list) == 0 {
		list = append(list, local(a))
	}
	return list
}
