package web

import (
	"net/http"
	"net/http/pprof"

	"github.com/hexarena/hexarena/server/feed"
)

// healthz says that the process answers, which is all that a supervisor needs
// to know before it ends it.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

// Ready reports whether there is a match to connect to or to look at.
func (s *Server) Ready() (ready bool) {
	s.hall.each(func(x *exhibit) {
		phase, _ := x.Feed.Status()
		ready = ready || phase != feed.Over
	})
	return ready
}

// readyz answers whether the server is ready.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	if !s.Ready() {
		fail(w, http.StatusServiceUnavailable, "no match is played or about to be")
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ready"})
}

// getMetrics answers a scrape.
func (s *Server) getMetrics(w http.ResponseWriter, r *http.Request) {
	if s.opts.Metrics == nil {
		fail(w, http.StatusNotFound, "nothing is counted here")
		return
	}
	s.opts.Metrics.ServeHTTP(w, r)
}

// debug is the operator's look into the process: profiles of net/http/pprof.
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
