package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// checkHost returns an error for a request from this machine whose Host is the name of another
// site. Its owner can make the name resolve to this machine, so that a browser here takes the
// site's pages and this server for the same site, and gives the pages all that it answers
// (DNS rebinding). Other sites have no address, and no name without a dot. With TLS the browser
// itself compares the name with the certificate.
func (s *Server) checkHost(r *http.Request) error {
	if s.secure != nil || !overLoopback(r) {
		return nil
	}
	name := strings.ToLower(strings.TrimSuffix(hostOf(r.Host), "."))
	own, _ := os.Hostname() // an error is treated like no name
	_, err := netip.ParseAddr(name)
	switch {
	case err == nil, !strings.Contains(name, "."), strings.HasSuffix(name,
		".localhost"), strings.EqualFold(name, own):
		return nil
	case slices.ContainsFunc(s.opts.Hosts,
		func(host string) bool { return strings.EqualFold(name, host) }):
		return nil
	}
	return fmt.Errorf("the Host %q is not known to be a name of this server; if it is one, start the "+
		"server with --page-hosts %[1]s", name)
}

// overLoopback reports whether a request comes from this machine.
func overLoopback(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// forwarded reports whether a proxy or a tunnel added a header to a request. There are many
// such headers for the client's address: Forwarded, X-Forwarded-For, X-Real-IP, X-Client-IP,
// True-Client-IP, CF-Connecting-IP and so on. No browser sends one by itself.
func forwarded(h http.Header) bool {
	for name := range h {
		if name == "Via" || strings.Contains(name, "Forward") || strings.HasPrefix(name, "X-Original-") ||
			strings.HasSuffix(name, "-Ip") || strings.HasSuffix(name, "-Loop") {
			return true
		}
	}
	return false
}

// isHere reports whether a host, with or without a port, is a name of this machine that no
// other site can have.
func isHere(host string) bool {
	host = hostOf(host)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// hostOf returns a host without its port and without brackets.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.Trim(host, "[]")
}
