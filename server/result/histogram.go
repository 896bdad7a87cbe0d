package result

import (
	"math/bits"
	"time"
)

// histogram counts durations in buckets that are about 3 % wide, so that a
// match of any length needs the same memory.
type histogram struct {
	buckets []uint32
	total   int
	max     time.Duration
}

// subBits is the number of bits of a duration count, after its first.
const subBits = 5

func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	i := bucketOf(d)
	for len(h.buckets) <= i {
		h.buckets = append(h.buckets, 0)
	}
	h.buckets[i]++
	h.total++
	h.max = max(h.max, d)
}

// quantile is the duration that the given share of all does not exceed, give or
// take the width of a bucket, or 0 without durations.
func (h *histogram) quantile(share float64) time.Duration {
	rank := min(int(share*float64(h.total)), h.total-1)
	for i, n := range h.buckets {
		if rank -= int(n); rank < 0 {
			return min(middleOf(i), h.max)
		}
	}
	return 0
}

// bucketOf is the bucket of d, by its first bits.
func bucketOf(d time.Duration) int {
	shift := max(0, bits.Len64(uint64(d))-subBits-1)
	return shift<<subBits + int(d>>shift)
}

func middleOf(bucket int) time.Duration {
	shift := max(0, bucket>>subBits-1)
	low := time.Duration(bucket-shift<<subBits) << shift
	return low + (1<<shift)/2
}
