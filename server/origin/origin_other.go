//go:build !linux

package origin

import "net/netip"

func supported(uint16) bool { return false }

func find(netip.AddrPort, uint16, []Root) (Finding, error) { return Unknown, ErrUnsupported }

func marked(string) []int { return nil }
