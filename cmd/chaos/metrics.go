package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// metrics are the values of /metrics by name with labels.
type metrics map[string]float64

// The metrics that are checked.
const (
	goroutines  = "hexarena_goroutines"
	connections = "hexarena_connections"
	finished    = `hexarena_matches_total{outcome="finished"}`
	aborted     = `hexarena_matches_total{outcome="aborted"}`
	resident    = "process_resident_memory_bytes"
	heap        = "go_memstats_heap_alloc_bytes"
	descriptors = "process_open_fds"
)

// readMetrics reads a server's metrics.
func readMetrics(ctx context.Context, s *harness.Server) (metrics, error) {
	text, err := harness.Get(ctx, s.Page+"metrics")
	if err != nil {
		return nil, err
	}
	m := metrics{}
	for line := range strings.Lines(string(text)) {
		// A label may hold spaces; the value follows the last one.
		line = strings.TrimSpace(line)
		if i := strings.LastIndexByte(line, ' '); i > 0 && line[0] != '#' {
			if v, err := strconv.ParseFloat(line[i+1:], 64); err == nil {
				m[line[:i]] = v
			}
		}
	}
	return m, nil
}

// count returns the number of metrics whose names begin with prefix.
func (m metrics) count(prefix string) (n int) {
	for name := range m {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

const (
	settleEvery = 200 * time.Millisecond // before each look at the metrics
	settleTime  = 30 * time.Second       // that the server may take to come to rest
)

// settle returns a server's metrics once no client is connected, the garbage is
// collected and settled reports true; after settleTime it returns them as they are. It
// pauses before it reads them, since a connection of an earlier request here may take a
// moment to end, and would be counted beside that of the request for the metrics.
func settle(ctx context.Context, s *harness.Server, settled func(metrics) bool) (m metrics, err error) {
	for began := time.Now(); ; {
		for range 2 { // the second collection frees what finalizers and pools released
			if _, err := harness.Get(ctx, s.Page+"debug/pprof/heap?gc=1"); err != nil {
				return nil, err
			}
		}
		harness.Pause(ctx, settleEvery)
		m, err = readMetrics(ctx, s)
		if err != nil || m[connections] == 0 && settled(m) || time.Since(began) > settleTime {
			return m, err
		}
	}
}

func (m metrics) String() string {
	return fmt.Sprintf("%.0f goroutines, %.0f descriptors, %.1f MiB in use, %.1f MiB resident",
		m[goroutines], m[descriptors], m[heap]/(1<<20), m[resident]/(1<<20))
}
