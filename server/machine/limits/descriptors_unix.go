//go:build unix

package limits

import (
	"math"
	"syscall"
)

// Limits of the number of descriptors that connections leave to the rest of the process:
// listeners, recordings and downloads, probes, bots that are dialled or started. It is an
// eighth of all, but at least what a server needs that records a match and answers
// probes.
const (
	minReserve = 40
	maxReserve = 512
)

// Descriptors returns how many connections a process may have so that the rest of it
// always has descriptors, or 0 if there is no limit.
func Descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil ||
		uint64(limit.Cur) > math.MaxInt32 {
		return 0
	}
	all := int(limit.Cur)
	return max(1, all-min(max(all/8, minReserve), maxReserve))
}
