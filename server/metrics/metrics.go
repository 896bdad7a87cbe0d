// Package metrics counts what happens in a server, for Prometheus. All names begin with
// hexarena_; docs/reference/metrics.md lists them.
//
// All matches of a process share one [Metrics]; a process that hosts none, such as the coordinator
// of a cup, has a [Process]. Counting in a steady turn allocates nothing and waits for nothing but
// another match that adds to the same histogram, so the match's goroutine counts. The package
// starts no goroutine.
package metrics

import (
	"strings"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics holds all metrics of a process that hosts matches. It has those that each turn or message
// uses; other methods look theirs up by name.
type Metrics struct {
	*Process

	turns    *metrics.Counter
	duration *metrics.PrometheusHistogram
	received *metrics.Counter
	sent     *metrics.Counter
}

// From 50 µs, a turn at full speed, to 14 minutes.
var buckets = metrics.ExponentialBuckets(50e-6, 2, 24)

// New returns the metrics of a process of this version that hosts matches.
func New(version string) *Metrics {
	p := NewProcess(version)
	for _, outcome := range []string{finished, aborted} {
		p.counter("matches_total", "outcome", outcome)
	}
	p.gauge("matches_running")
	p.gauge("connections")
	for _, outcome := range []string{complete, failed} {
		p.counter("recordings_total", "outcome", outcome)
	}
	p.counter("recording_failures_total")
	return &Metrics{
		Process:  p,
		turns:    p.counter("turns_total"),
		duration: p.histogram("turn_duration_seconds"),
		received: p.counter("received_bytes_total"),
		sent:     p.counter("sent_bytes_total"),
	}
}

// The outcomes.
const (
	finished = "finished"
	aborted  = "aborted"
	complete = "complete"
	failed   = "failed"
)

// Connected and Disconnected count connections of the metaprotocol.
func (m *Metrics) Connected() { m.gauge("connections").Inc() }

// Disconnected is the counterpart of Connected.
func (m *Metrics) Disconnected() { m.gauge("connections").Dec() }

// Refused counts a connection that was refused. reason is short and constant.
func (m *Metrics) Refused(reason string) {
	m.counter("connections_refused_total", "reason", reason).Inc()
}

// Kicked counts a client that was kicked, by the kind of the reason: a reason may contain a
// peer's text.
func (m *Metrics) Kicked(reason string) { m.counter("kicks_total", "reason", kindOf(reason)).Inc() }

// kindOf returns the part of a reason that is the same for all peers, whose text is between
// marks: what went wrong, as in "Cannot read TURN_ACK. ", and how, up to the next mark.
func kindOf(reason string) string {
	const longest = 100
	end := 0
	if i := strings.IndexAny(reason, marks); i >= 0 &&
		(strings.HasPrefix(reason[i:], ". ") || strings.HasPrefix(reason[i:], ": ")) {
		end = i + 2
	}
	if i := strings.IndexAny(reason[end:], marks); i >= 0 {
		reason = reason[:end+i]
	}
	return strings.TrimRight(strings.ToValidUTF8(reason[:min(len(reason), longest)], ""), " ")
}

const marks = ".,:;?(\"'"

// Received and Sent count bytes.
func (m *Metrics) Received(n int) { m.received.Add(n) }

// Sent is the counterpart of Received.
func (m *Metrics) Sent(n int) { m.sent.Add(n) }

// RecordingFailed counts that a running match cannot be recorded; its recording may go on later.
func (m *Metrics) RecordingFailed() { m.counter("recording_failures_total").Inc() }

// recording counts a recording; err is nil if it contains the whole match.
func (m *Metrics) recording(err error) {
	outcome := complete
	if err != nil {
		outcome = failed
	}
	m.counter("recordings_total", "outcome", outcome).Inc()
}
