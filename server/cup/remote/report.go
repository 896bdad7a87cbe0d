package remote

import (
	"cmp"
	"slices"
)

// WorkerReport is what one worker did.
type WorkerReport struct {
	Name      string  `json:"name"`
	Played    int     `json:"played"`    // results that count
	Verified  int     `json:"verified"`  // of those, the ones whose recordings were verified
	Conflicts int     `json:"conflicts"` // matches of which another worker had another result
	Chance    float64 `json:"chance"`    // of such results, if all machines play alike; 1 for fewer than 1 000 matches
	Refused   string  `json:"refused,omitempty"`
}

// Suspicious reports whether the results of the worker are unlikely.
func (w *WorkerReport) Suspicious() bool { return w.Chance < suspicious }

// Report returns what the workers of a cup did, in the order of their names.
func (c *Coordinator) Report() (workers []WorkerReport) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.table.workers {
		one := WorkerReport{Name: w.name, Played: w.played, Verified: w.verified, Conflicts: w.conflicts, Chance: 1, Refused: w.refused}
		if w.played >= suspiciousAfter && c.rates != nil {
			one.Chance = c.rates.chance(w)
		}
		workers = append(workers, one)
	}
	slices.SortFunc(workers, func(a, b WorkerReport) int { return cmp.Compare(a.Name, b.Name) })
	return workers
}
