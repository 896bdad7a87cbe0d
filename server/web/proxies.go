package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientOf returns the address of the client of a request: of the connection or, if a trusted proxy
// sent the request, the last address in X-Forwarded-For that is not a trusted proxy's. A proxy
// appends the address of its peer, so that what a client writes there itself stands before it and
// is not believed.
func clientOf(r *http.Request, proxies []netip.Prefix) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !trusts(proxies, peer.Addr()) {
		return r.RemoteAddr
	}
	client := r.RemoteAddr
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		client = netip.AddrPortFrom(address.Unmap(), 0).String()
		if !trusts(proxies, address) {
			break
		}
	}
	return client
}

func trusts(proxies []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
