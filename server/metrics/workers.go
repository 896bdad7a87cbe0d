package metrics

// Workers is what a scrape reports of the workers of a cup. Workers have no labels of their own,
// since each process that ever asked for matches would add a time series.
type Workers struct {
	States    map[string]int // workers, by what they do
	Leases    int            // that have matches left
	Ended     map[string]int // leases since the start, by how they ended
	Queued    int            // matches that no worker has
	Leased    int            // matches that workers have
	Results   int            // that counted since the start
	Verified  int            // of these, those whose recordings were verified
	Conflicts int            // results since the start that differ from the first of their match
	// Slowest, Median and Fastest are the matches per second of workers that are alive, since each
	// asked first.
	Slowest, Median, Fastest float64
}

// Workers sets the function that returns what the workers of a cup do at each scrape. All metrics
// of a scrape come from one reading, so that they belong together.
func (p *Process) Workers(read func() Workers) {
	p.each(func(s *set) {
		w := read()
		for state, n := range w.States {
			s.gauge("workers", "state", state).Set(float64(n))
		}
		s.gauge("leases").Set(float64(w.Leases))
		for reason, n := range w.Ended {
			s.counter("leases_ended_total", "reason", reason).Add(n)
		}
		s.gauge("cup_matches", "state", "queued").Set(float64(w.Queued))
		s.gauge("cup_matches", "state", "leased").Set(float64(w.Leased))
		s.counter("cup_results_total").Add(w.Results)
		s.counter("cup_results_verified_total").Add(w.Verified)
		s.counter("cup_conflicts_total").Add(w.Conflicts)
		s.gauge("worker_matches_per_second", "worker", "slowest").Set(w.Slowest)
		s.gauge("worker_matches_per_second", "worker", "median").Set(w.Median)
		s.gauge("worker_matches_per_second", "worker", "fastest").Set(w.Fastest)
	})
}

// WorkerState is what a scrape reports of a worker.
type WorkerState struct {
	Played  int  // matches since the start
	Playing int  // matches at this time
	Unsent  int  // results that the queue has not stored
	Up      bool // the coordinator answers
}

// Worker sets the function that returns what this worker does at each scrape.
func (p *Process) Worker(read func() WorkerState) {
	p.each(func(s *set) {
		w := read()
		s.counter("worker_matches_total").Add(w.Played)
		s.gauge("worker_matches_running").Set(float64(w.Playing))
		s.gauge("worker_results_unsent").Set(float64(w.Unsent))
		s.gauge("worker_coordinator_up").Set(one(w.Up))
	})
}
