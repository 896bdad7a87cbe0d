package botapi

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// systemConnect returns what connects by the system's network. In public mode, it refuses addresses
// that are not on the public Internet.
func systemConnect(public bool) Connect {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if public {
		dialer.Control = refusePrivate
	}
	return dialer.DialContext
}

// newClient returns an HTTP client for dialling bots. It uses no proxy from the
// environment, because a proxy would bypass refusePrivate.
func newClient(connect Connect) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         connect,
			TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout:     time.Minute,
			MaxIdleConnsPerHost: 2,
		},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errRedirects
			}
			return nil
		},
	}
}

const maxRedirects = 5

var errRedirects = errors.New("more than 5 redirects")

// refusePrivate refuses connections to addresses that are not public. It runs after names are
// resolved and for each connection, so that no name and no redirect leads to a private address.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !isPublic(ap.Addr()) {
		return fmt.Errorf("%s is not an address on the public Internet, and this server dials no other",
			ap.Addr())
	}
	return nil
}

// reserved lists the ranges of the IANA special-purpose registries that are not
// public and that netip does not know.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // carrier-grade NAT
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"), // this range and the next two embed IPv4 addresses
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("fec0::/10"),
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
