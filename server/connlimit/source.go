package connlimit

import "net/netip"

// source is an address or a network that connections are counted by.
type source struct {
	prefix netip.Prefix
	text   string // of an address that is not an IP address
}

// networks are the lengths of the IPv6 networks that count as one address: a
// machine's own, and those that providers give to a household and to a site. Each
// may have twice as many connections as the one before.
var networks = [...]int{64, 56, 48}

// sourcesOf returns what a connection's address, host and port, is counted by: the
// IPv4 address, or the IPv6 networks from the smallest to the largest.
func sourcesOf(address string) []source {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return []source{{text: address}}
	}
	ip := peer.Addr().Unmap().WithZone("")
	if ip.Is4() || ip.IsLoopback() {
		return []source{{prefix: netip.PrefixFrom(ip, ip.BitLen())}}
	}
	list := make([]source, len(networks))
	for i, bits := range networks {
		list[i] = source{prefix: netip.PrefixFrom(ip, bits).Masked()}
	}
	return list
}

// Source returns what counts as one address for a connection from address, host and
// port, as text: an IPv4 address, or an IPv6 network of 64 bits.
func Source(address string) string { return sourcesOf(address)[0].String() }

// String returns the address, or the network with its length.
func (s source) String() string {
	switch {
	case s.text != "":
		return s.text
	case s.prefix.IsSingleIP():
		return s.prefix.Addr().String()
	}
	return s.prefix.String()
}

// loopback reports whether the source is this machine.
func (s source) loopback() bool { return s.text == "" && s.prefix.Addr().IsLoopback() }
