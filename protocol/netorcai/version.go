package netorcai

import (
	"strconv"
	"strings"
)

// Version is the version of the metaprotocol that this package implements. Peers are compatible
// if they agree on the first number.
const Version = "2.0.0"

const major = 2

// majorOf returns the first number of a version MAJOR.MINOR.PATCH of ASCII digits. Leading zeros
// are ignored; a number too large for an int becomes the largest int.
func majorOf(version string) (n int, ok bool) {
	parts := strings.Split(version, ".")
	if len(parts) != 3 {
		return 0, false
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return 0, false
		}
	}
	// the only possible error is an overflow, which gives the largest int
	n, _ = strconv.Atoi(parts[0])
	return n, true
}
