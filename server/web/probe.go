package web

import (
	"net/http"
	"net/http/pprof"

	"github.com/hexarena/hexarena/server/feed"
)

// probe answers /healthz and /readyz.
func (s *Server) probe(w http.ResponseWriter, r *http.Request) { s.probes.ServeHTTP(w, r) }

// Ready reports whether there is a match to join or to watch, or a cup.
func (s *Server) Ready() (ready bool) {
	if s.opts.Cup != nil {
		return true
	}
	s.matches.each(func(x *entry) {
		phase, _ := x.Feed.Status()
		ready = ready || phase != feed.Over
	})
	return ready
}

// getMetrics answers a scrape.
func (s *Server) getMetrics(w http.ResponseWriter, r *http.Request) {
	if s.opts.Metrics == nil {
		fail(w, http.StatusNotFound, "metrics are off")
		return
	}
	s.opts.Metrics.ServeHTTP(w, r)
}

// debug serves the profiles of net/http/pprof to the operator.
func (s *Server) debug(w http.ResponseWriter, r *http.Request) {
	if !s.operates(w, r) {
		return
	}
	switch r.PathValue("profile") {
	case "cmdline":
		pprof.Cmdline(w, r)
	case "profile":
		pprof.Profile(w, r)
	case "symbol":
		pprof.Symbol(w, r)
	case "trace":
		pprof.Trace(w, r)
	default:
		pprof.Index(w, r)
	}
}
