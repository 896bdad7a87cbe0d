//go:build !linux

package origin

import "net/netip"

func supported(uint16) bool { return false }

func find(netip.AddrPort, uint16, []int) (int, error) { return Unknown, ErrUnsupported }

func children(int) []int { return nil }
