package site

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// joinAddress returns the address of the page to join, for other machines: the one of the settings,
// else the one by which the browser of a request has found this server, else one of this machine.
// It is empty if none of them leads here from elsewhere.
func (s *Site) joinAddress(r *http.Request) string {
	if s.URL != "" {
		return s.Here() + "/join"
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); host != "localhost" &&
		(err != nil || outside(ip)) {
		return s.scheme() + r.Host + "/join"
	}
	if list := s.Bots.Load(); list != nil {
		if at := firstOutside(*list); at != "" {
			return s.scheme() + at + "/join"
		}
	}
	return ""
}

// firstOutside returns the first of some addresses that other machines may reach, "" if there is
// none.
func firstOutside(list []string) string {
	for _, address := range list {
		if at, err := netip.ParseAddrPort(address); err == nil && outside(at.Addr()) {
			return address
		}
	}
	return ""
}

// outside reports whether an address may be known to other machines: it is neither that of this
// machine for itself, nor of a container, nor of a network between containers.
func outside(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() {
		return false
	}
	interfaces, _ := net.Interfaces() // an error is treated like an empty list
	for _, one := range interfaces {
		addresses, _ := one.Addrs()
		for _, a := range addresses {
			prefix, err := netip.ParsePrefix(a.String())
			if err == nil && prefix.Addr().Unmap() == ip {
				return !inContainer() && !isBridge(one.Name)
			}
		}
	}
	return true
}

// inContainer reports whether this process is in a container, whose addresses only its host can
// reach: the files are those of Docker and of podman.
func inContainer() bool {
	return slices.ContainsFunc([]string{"/.dockerenv", "/run/.containerenv"}, func(file string) bool {
		_, err := os.Stat(file)
		return err == nil
	})
}

// isBridge reports whether an interface connects containers or virtual machines with their host, by
// the names that their runtimes give.
func isBridge(name string) bool {
	return slices.ContainsFunc([]string{"docker", "podman", "br-", "virbr", "veth", "cni"},
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
