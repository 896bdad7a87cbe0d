package limits

import "net/netip"

// source is an address or a network by which connections are counted.
type source struct {
	prefix netip.Prefix
	text   string // of an address that is not an IP address
}

// networks are the prefix lengths of the IPv6 networks that count as one address: of a
// machine, and of a household and a site as providers assign them. Each may have twice as
// many connections as the previous one.
var networks = [...]int{64, 56, 48}

// sourcesOf returns the sources that a connection's address counts for: the IPv4 address, or
// the IPv6 networks from the smallest to the largest.
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

// Source returns the text of what counts as one address for an address with host and port:
// an IPv4 address, or an IPv6 /64.
func Source(address string) string { return sourcesOf(address)[0].String() }

// Household returns the text of what counts as one household for an address with host and port:
// an IPv4 address, or an IPv6 /56. It is empty for this machine.
func Household(address string) string {
	list := sourcesOf(address)
	if list[0].loopback() {
		return ""
	}
	return list[min(1, len(list)-1)].String()
}

// String returns the address, or the network with its prefix length.
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
