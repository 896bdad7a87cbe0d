// Package metrics counts what happens in a server, for Prometheus. All names begin with
// hexarena_; docs/operator.md lists them.
//
// All matches of a process share one [Metrics]; a process that hosts none, such as the coordinator of
// a cup, has a [Process]. Counting in a steady turn takes no lock and allocates nothing, so it is done in
// the match's goroutine. The package starts no goroutine.
package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics holds all metrics of a process that hosts matches.
type Metrics struct {
	*Process

	matches  *prometheus.CounterVec // by outcome
	running  prometheus.Gauge
	turns    prometheus.Counter
	duration prometheus.Histogram
	seats    *prometheus.GaugeVec     // by role
	waits    *prometheus.HistogramVec // by player
	skips    *prometheus.CounterVec   // by player and reason

	connections prometheus.Gauge
	refused     *prometheus.CounterVec // by reason
	kicks       *prometheus.CounterVec // by reason
	received    prometheus.Counter
	sent        prometheus.Counter

	recorded *prometheus.CounterVec // by outcome
	failures prometheus.Counter     // of recordings that are being written
}

// From 50 µs, a turn at full speed, to 14 minutes.
var buckets = prometheus.ExponentialBuckets(50e-6, 2, 24)

// New returns the metrics of a process of this version that hosts matches.
func New(version string) *Metrics {
	m := &Metrics{Process: NewProcess(version)}
	m.matches = m.counters("matches_total", "Finished matches, by outcome: finished or aborted.", "outcome")
	m.running = m.gauge("matches_running", "Running matches.")
	m.turns = m.counter("turns_total", "Turns played.")
	m.duration = m.factory.NewHistogram(prometheus.HistogramOpts{
		Name: "turn_duration_seconds", Help: "Time between turns.", Buckets: buckets,
	})
	m.seats = m.vec("seats", "Seats with a connected client, by role.", "role")
	m.waits = m.factory.NewHistogramVec(prometheus.HistogramOpts{
		Name: "player_wait_seconds", Help: "Time from a player's TURN to the answer, by player id.", Buckets: buckets,
	}, []string{"player"})
	m.skips = m.counters("skipped_turns_total", "Turns that a player skipped, by player id and reason.", "player", "reason")

	m.connections = m.gauge("connections", "Open connections of the metaprotocol.")
	m.refused = m.counters("connections_refused_total", "Connections that were refused, by reason.", "reason")
	m.kicks = m.counters("kicks_total", "Clients that were kicked, by kind of reason.", "reason")
	m.received = m.counter("received_bytes_total", "Bytes that clients of the metaprotocol sent.")
	m.sent = m.counter("sent_bytes_total", "Bytes sent to clients of the metaprotocol.")

	m.recorded = m.counters("recordings_total", "Recordings, by outcome: complete or failed.", "outcome")
	m.failures = m.counter("recording_failures_total", "Times that a running match could not be recorded, as they happen.")
	for _, outcome := range []string{finished, aborted} {
		m.matches.WithLabelValues(outcome)
	}
	for _, outcome := range []string{complete, failed} {
		m.recorded.WithLabelValues(outcome)
	}
	return m
}

// The outcomes.
const (
	finished = "finished"
	aborted  = "aborted"
	complete = "complete"
	failed   = "failed"
)

// Connected and Disconnected count connections of the metaprotocol.
func (m *Metrics) Connected() { m.connections.Inc() }

// Disconnected is the counterpart of Connected.
func (m *Metrics) Disconnected() { m.connections.Dec() }

// Refused counts a connection that was refused. reason is short and constant.
func (m *Metrics) Refused(reason string) { m.refused.WithLabelValues(reason).Inc() }

// Kicked counts a client that was kicked, by the kind of the reason: a reason may contain a
// peer's text.
func (m *Metrics) Kicked(reason string) { m.kicks.WithLabelValues(kindOf(reason)).Inc() }

// kindOf returns the part of a reason that is the same for all peers, whose text is between
// marks: what went wrong, as in "Cannot read TURN_ACK. ", and how, up to the next mark.
func kindOf(reason string) string {
	const longest = 100
	end := 0
	if i := strings.IndexAny(reason, marks); i >= 0 && (strings.HasPrefix(reason[i:], ". ") || strings.HasPrefix(reason[i:], ": ")) {
		end = i + 2
	}
	if i := strings.IndexAny(reason[end:], marks); i >= 0 {
		reason = reason[:end+i]
	}
	return strings.TrimRight(strings.ToValidUTF8(reason[:min(len(reason), longest)], ""), " ")
}

const marks = ".,:;?(\"'"

// Received and Sent count bytes.
func (m *Metrics) Received(n int) { m.received.Add(float64(n)) }

// Sent is the counterpart of Received.
func (m *Metrics) Sent(n int) { m.sent.Add(float64(n)) }

// RecordingFailed counts that a running match cannot be recorded; its recording may go on later.
func (m *Metrics) RecordingFailed() { m.failures.Inc() }

// recording counts a recording; err is nil if it contains the whole match.
func (m *Metrics) recording(err error) {
	outcome := complete
	if err != nil {
		outcome = failed
	}
	m.recorded.WithLabelValues(outcome).Inc()
}
