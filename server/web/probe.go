package web

import (
	"net/http"
	"net/http/pprof"

	"github.com/hexarena/hexarena/server/feed"
)

// healthz answers that the process responds, which is what a supervisor needs to know
// before it restarts it.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

// Ready reports whether there is a match to join or to watch.
func (s *Server) Ready() (ready bool) {
	s.matches.each(func(x *entry) {
		phase, _ := x.Feed.Status()
		ready = ready || phase != feed.Over
	})
	return ready
}

// readyz answers whether the server is ready.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	if !s.Ready() {
		fail(w, http.StatusServiceUnavailable, "there is no running or upcoming match")
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ready"})
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
