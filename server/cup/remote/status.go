package remote

import (
	"slices"
	"time"
)

// Status is what the workers of a cup do at a time, and what they have done since the coordinator
// began.
type Status struct {
	Alive   int // workers that were heard within the last five seconds
	Silent  int // workers that were not
	Left    int // workers that said that they play no more
	Refused int // workers that get no matches any more
	Leases  int // that have matches left
	Ended   map[LeaseEnd]int
	Queued  int // matches that no worker has
	Leased  int // matches that workers have
	// Results are those that counted, Verified those of them whose recordings were verified,
	// Conflicts those that differ from the first result of their match.
	Results, Verified, Conflicts int
	// Rates are the matches per second of the workers that are alive, since each asked first, in
	// ascending order.
	Rates []float64
}

// LeaseEnd says how a lease ended.
type LeaseEnd int

// The ends of a lease.
const (
	LeaseDone    LeaseEnd = iota // all its results came
	LeaseSilent                  // its worker was not heard
	LeaseLost                    // its worker does not have it, and results did not come
	LeaseLeft                    // its worker plays no more
	LeaseRefused                 // its worker gets no matches any more
	leaseEnds
)

// String returns the end in a word.
func (e LeaseEnd) String() string {
	return [...]string{"done", "silent", "lost", "left", "refused"}[e]
}

// Status returns what the workers do.
func (c *Coordinator) Status() *Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.table.status(time.Now(), c.conflicts.count)
}

// status returns what the workers do at a time.
func (t *table) status(now time.Time, conflicts int) *Status {
	s := &Status{
		Ended: map[LeaseEnd]int{}, Queued: len(t.free), Leased: len(t.tasks) - len(t.free),
		Results: t.results, Verified: t.verified, Conflicts: conflicts,
	}
	for end, n := range t.ended {
		s.Ended[LeaseEnd(end)] = n
	}
	for _, w := range t.workers {
		for _, l := range w.leases {
			if l.left > 0 {
				s.Leases++
			}
		}
		switch {
		case w.refused != "":
			s.Refused++
		case w.left:
			s.Left++
		case now.Sub(w.seen) > silence: // while the queue is away, all are
			s.Silent++
		default:
			s.Alive++
			s.Rates = append(s.Rates, w.rate(now))
		}
	}
	slices.Sort(s.Rates)
	return s
}
