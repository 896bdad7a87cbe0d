package metrics

import (
	"net/http"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Process holds the metrics that every process has, and registers others.
type Process struct {
	registry *prometheus.Registry
	factory  promauto.Factory // creates and registers metrics with the common prefix
}

// NewProcess returns the metrics of a process of this version.
func NewProcess(version string) *Process {
	p := &Process{registry: prometheus.NewRegistry()}
	p.factory = promauto.With(p.prefixed())
	p.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	p.vec("build_info", "Always 1; the label is the version.", "version").WithLabelValues(version).Set(1)
	p.gaugeFunc("goroutines", "Goroutines of the process.", func() float64 { return float64(runtime.NumGoroutine()) })
	return p
}

// prefixed returns a registerer that adds the common prefix to the names of metrics.
func (p *Process) prefixed() prometheus.Registerer {
	return prometheus.WrapRegistererWithPrefix("hexarena_", p.registry)
}

// Handler returns the handler for scrapes.
func (p *Process) Handler() http.Handler {
	return promhttp.HandlerFor(p.registry, promhttp.HandlerOpts{})
}

// Viewers sets the function that returns the number of viewers at each scrape.
func (p *Process) Viewers(count func() int) {
	p.gaugeFunc("viewers", "Browsers that watch.", func() float64 { return float64(count()) })
}

func (p *Process) counter(name, help string) prometheus.Counter {
	return p.factory.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func (p *Process) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return p.factory.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func (p *Process) gauge(name, help string) prometheus.Gauge {
	return p.factory.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

func (p *Process) vec(name, help string, labels ...string) *prometheus.GaugeVec {
	return p.factory.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
}

func (p *Process) gaugeFunc(name, help string, f func() float64) {
	p.factory.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, f)
}
