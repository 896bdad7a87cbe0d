package botapi

import (
	"net/netip"
	"testing"
)

func TestPublicAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.32.0.1": true, "2606:2800:220:1::1": true,
		"::ffff:8.8.8.8": true,
		"127.0.0.1":      false, "127.9.9.9": false, "10.0.0.1": false, "172.16.3.4": false,
		"192.168.1.1":     false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "0.1.2.3": false,
		"255.255.255.255": false,
		"224.0.0.1":       false, "240.0.0.1": false, "198.18.0.1": false, "192.0.2.7": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fd00::1": false,
		"ff02::1":          false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false,
		"2001:db8::1": false, "fec0::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("isPublic(%s) = %v, want %v", address, got, want)
		}
	}
}
