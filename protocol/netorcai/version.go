package netorcai

import (
	"strconv"
	"strings"
)

// Version is the version of the metaprotocol that this package speaks. Peers
// understand each other when they agree on its first number.
const Version = "2.0.0"

const major = 2

// majorOf is the first number of a MAJOR.MINOR.PATCH version made of ASCII
// digits. Leading zeros mean nothing; a number too large for an int becomes the
// largest one.
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
	n, _ = strconv.Atoi(parts[0]) // only the range can be wrong now
	return n, true
}
