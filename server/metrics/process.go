package metrics

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"

	"github.com/VictoriaMetrics/metrics"
)

// Process holds the metrics that every process has, and registers others.
type Process struct{ *set }

// NewProcess returns the metrics of a process of this version.
func NewProcess(version string) *Process {
	metrics.ExposeMetadata(true)
	p := &Process{newSet()}
	p.gauge("build_info", "version", version).Set(1)
	p.reading("goroutines", runtime.NumGoroutine)
	return p
}

// Handler returns the handler for scrapes.
func (p *Process) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var text bytes.Buffer
		p.WritePrometheus(&text)
		metrics.WriteProcessMetrics(&text)
		metrics.WriteFDMetrics(&text)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = help.WriteString(w, text.String()) // the client has gone
	})
}

// Viewers sets the function that returns the number of viewers at each scrape.
func (p *Process) Viewers(count func() int) { p.reading("viewers", count) }

func (p *Process) reading(name string, read func() int) {
	p.NewGauge(series(name), func() float64 { return float64(read()) })
}

// each adds the metrics that fill sets to each scrape.
func (p *Process) each(fill func(*set)) {
	p.RegisterMetricsWriter(func(w io.Writer) {
		s := newSet()
		fill(s)
		s.WritePrometheus(w)
	})
}

// set is a set of metrics, each of which is created when it is first used.
type set struct{ *metrics.Set }

func newSet() *set { return &set{metrics.NewSet()} }

func (s *set) counter(name string, labels ...string) *metrics.Counter {
	return s.GetOrCreateCounter(series(name, labels...))
}

func (s *set) gauge(name string, labels ...string) *metrics.Gauge {
	return s.GetOrCreateGauge(series(name, labels...), nil)
}

func (s *set) histogram(name string, labels ...string) *metrics.PrometheusHistogram {
	return s.GetOrCreatePrometheusHistogramExt(series(name, labels...), buckets)
}

// series returns the full name of a metric with labels: names, each with its value.
func series(name string, labels ...string) string {
	var list []string
	for i := 0; i < len(labels); i += 2 {
		list = append(list, fmt.Sprintf(`%s="%s"`, labels[i], escape.Replace(labels[i+1])))
	}
	if list == nil {
		return prefix + name
	}
	return prefix + name + "{" + strings.Join(list, ",") + "}"
}

const prefix = "hexarena_"

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
