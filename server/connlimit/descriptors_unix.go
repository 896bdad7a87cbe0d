//go:build unix

package connlimit

import (
	"math"
	"syscall"
)

// Bounds of the descriptors that connections leave to the rest of the process:
// listeners, recordings and downloads, probes, bots that are dialled or started. It is
// an eighth of all, and at least what a server needs that records a match and answers
// probes.
const (
	leastReserve = 40
	mostReserve  = 512
)

// Descriptors returns how many connections a process may have so that the rest of it
// always has descriptors; 0 if there is no such bound.
func Descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) > math.MaxInt32 {
		return 0
	}
	most := int(limit.Cur)
	return max(1, most-min(max(most/8, leastReserve), mostReserve))
}
