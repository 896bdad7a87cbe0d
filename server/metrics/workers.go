package metrics

import "github.com/prometheus/client_golang/prometheus"

// Workers is what a scrape reports of the workers of a cup. Workers have no labels of their own, since each process
// that ever asked for matches would add a time series.
type Workers struct {
	States    map[string]int // workers, by what they do
	Leases    int            // that have matches left
	Ended     map[string]int // leases since the start, by how they ended
	Queued    int            // matches that no worker has
	Leased    int            // matches that workers have
	Results   int            // that counted since the start
	Verified  int            // of these, those whose recordings were verified
	Conflicts int            // results since the start that differ from the first of their match
	// Slowest, Median and Fastest are the matches per second of workers that are alive, since each asked first.
	Slowest, Median, Fastest float64
}

// Workers sets the function that returns what the workers of a cup do at each scrape.
func (p *Process) Workers(read func() Workers) {
	p.prefixed().MustRegister(workersCollector(read))
}

// WorkerState is what a scrape reports of a worker.
type WorkerState struct {
	Played  int  // matches since the start
	Playing int  // matches at this time
	Unsent  int  // results that the queue has not stored
	Up      bool // the coordinator answers
}

// Worker sets the function that returns what this worker does at each scrape.
func (p *Process) Worker(read func() WorkerState) { p.prefixed().MustRegister(workerCollector(read)) }

// workersCollector collects all metrics of the workers of a cup from one reading, so that they belong together.
type workersCollector func() Workers

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	workerStates  = desc("workers", "Workers, by state: alive, silent, left, or refused.", "state")
	openLeases    = desc("leases", "Leases with matches that have no result yet.")
	endedLeases   = desc("leases_ended_total", "Leases that ended, by reason: done, silent, lost, left, or refused.", "reason")
	cupMatches    = desc("cup_matches", "Matches to be played, by state: queued, which no worker has, or leased.", "state")
	cupResults    = desc("cup_results_total", "Results of workers that counted.")
	cupVerified   = desc("cup_results_verified_total", "Results that counted and whose recordings were verified.")
	cupConflicts  = desc("cup_conflicts_total", "Results that differ from the first one of their match.")
	workerSpeed   = desc("worker_matches_per_second", "Matches per second of the slowest, the median and the fastest worker that is alive.", "worker")
	workerPlayed  = desc("worker_matches_total", "Matches that this worker has played.")
	workerPlaying = desc("worker_matches_running", "Matches that this worker plays.")
	workerUnsent  = desc("worker_results_unsent", "Results of this worker that the queue has not stored.")
	workerHears   = desc("worker_coordinator_up", "1 while the coordinator answers this worker, 0 otherwise.")
)

// Describe implements prometheus.Collector.
func (workersCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{workerStates, openLeases, endedLeases, cupMatches, cupResults, cupVerified, cupConflicts, workerSpeed} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (read workersCollector) Collect(to chan<- prometheus.Metric) {
	w := read()
	for state, n := range w.States {
		gauge(to, workerStates, float64(n), state)
	}
	gauge(to, openLeases, float64(w.Leases))
	for reason, n := range w.Ended {
		count(to, endedLeases, n, reason)
	}
	gauge(to, cupMatches, float64(w.Queued), "queued")
	gauge(to, cupMatches, float64(w.Leased), "leased")
	count(to, cupResults, w.Results)
	count(to, cupVerified, w.Verified)
	count(to, cupConflicts, w.Conflicts)
	gauge(to, workerSpeed, w.Slowest, "slowest")
	gauge(to, workerSpeed, w.Median, "median")
	gauge(to, workerSpeed, w.Fastest, "fastest")
}

// workerCollector collects the metrics of a worker.
type workerCollector func() WorkerState

// Describe implements prometheus.Collector.
func (workerCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{workerPlayed, workerPlaying, workerUnsent, workerHears} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (read workerCollector) Collect(to chan<- prometheus.Metric) {
	w := read()
	count(to, workerPlayed, w.Played)
	gauge(to, workerPlaying, float64(w.Playing))
	gauge(to, workerUnsent, float64(w.Unsent))
	up := 0.0
	if w.Up {
		up = 1
	}
	gauge(to, workerHears, up)
}

func gauge(to chan<- prometheus.Metric, d *prometheus.Desc, value float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func count(to chan<- prometheus.Metric, d *prometheus.Desc, value int, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
}
