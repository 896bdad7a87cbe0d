package sprt

// firstLook is the number of blocks before the first look at a contest's standings: about
// as few as an interval from a bootstrap over blocks can be trusted with.
const firstLook = 16

// Look returns after how many blocks look number j, counted from 1, of a contest that goes on
// until its leader is certain takes place: 16, 32, 64 and so on. It also returns the probability
// of an error that this look may spend, of a total: total/(j(j+1)). These parts add up to the
// total over all looks, so that a contest that stops at any of them errs no more often than with
// one look at the end, and as each look doubles the blocks, the last one has at least half of what
// a fixed number would have needed.
func Look(j int, total float64) (blocks int, spent float64) {
	j = min(max(j, 1), maxLooks)
	return firstLook << (j - 1), total / float64(j*(j+1))
}

// maxLooks keeps the number of blocks an integer.
const maxLooks = 40

// LookAt returns the number of the look that takes place after this many blocks, or 0 if no
// look does.
func LookAt(blocks int) int {
	for j := 1; j <= maxLooks; j++ {
		if n, _ := Look(j, 1); n >= blocks {
			if n == blocks {
				return j
			}
			break
		}
	}
	return 0
}
