package remote

import (
	"cmp"
	"slices"
)

const (
	// judgedTurns is the number of turns from which on the skipped ones of a worker that are judged:
	// at the least share ten of them are skipped, more than the start of a bot costs.
	judgedTurns = 1000
	// suspiciousShare is the share of skipped turns that a worker may have in any case. Cups warn
	// of a bot with as many.
	suspiciousShare = 0.01
	// suspiciousRatio is the ratio that a share may have to the median of the workers: bots that are
	// slow on every machine skip turns on all workers, and machines differ by a factor of two.
	suspiciousRatio = 3
)

// WorkerReport is what one worker did.
type WorkerReport struct {
	Name      string
	Played    int     // results that count
	Verified  int     // of those, the ones whose recordings were verified
	Conflicts int     // matches of which another worker had another result
	Skipped   float64 // the share of the turns of its matches that ended before a bot answered
	Median    float64 // of the workers' shares
	Refused   string
}

// Overloaded reports whether bots skip far more turns at the worker than at the others. Their
// matches verify, but make the bots look weak.
func (w *WorkerReport) Overloaded() bool {
	return w.Skipped > max(suspiciousShare, suspiciousRatio*w.Median)
}

// Report returns what the workers of a cup did, in the order of their names.
func (c *Coordinator) Report() (workers []WorkerReport) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var shares []float64
	for _, w := range c.table.workers {
		one := WorkerReport{
			Name: w.name, Played: w.played, Verified: w.verified,
			Conflicts: w.conflicts, Refused: w.refused,
		}
		if w.turns >= judgedTurns {
			one.Skipped = float64(w.skipped) / float64(w.turns)
			shares = append(shares, one.Skipped)
		}
		workers = append(workers, one)
	}
	median := lowerMedian(shares)
	for i := range workers {
		workers[i].Median = median
	}
	slices.SortFunc(workers, func(a, b WorkerReport) int { return cmp.Compare(a.Name, b.Name) })
	return workers
}

// lowerMedian returns the median, of an even number of values the lower of the two in the middle:
// of two workers the better one is the measure. It returns 0 without values.
func lowerMedian(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
