// Package probe answers liveness and readiness probes on a separate address, so that no
// number of players and browsers keeps a supervisor from getting an answer.
//
// [Start] starts one goroutine, and net/http one per connection; stop waits for all of
// them.
package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Limits of a probe. It is one request of a few hundred bytes, answered by one word.
const (
	probeTime = 2 * time.Second // for each of them
	maxHeader = 4 << 10         // bytes
	// maxConnections is the most probes at a time: a supervisor has one or two. Beyond that
	// the oldest one of the address with the most is closed, so that none is refused.
	maxConnections = 8
	stopTime       = 200 * time.Millisecond // for running probes when the server stops
)

// Options are the settings of the probes.
type Options struct {
	Address string      // host and port; an empty host stands for all interfaces
	Ready   func() bool // reports whether there is a match to join or to watch
	Unready string      // says why it is not ready; "": there is no such match
	// Metrics answers /metrics, in a process that has no page; nil: there are none.
	Metrics http.Handler
	Log     zerolog.Logger
}

// Start answers probes until stop is called, which waits for the last one.
func Start(o Options) (addr net.Addr, stop func(), err error) {
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen on %s: %w", o.Address, err)
	}
	s := &http.Server{
		Handler:           o.handler(),
		ReadHeaderTimeout: probeTime,
		ReadTimeout:       probeTime,
		WriteTimeout:      probeTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(io.Discard, "", 0), // only peers' errors
	}
	s.SetKeepAlivesEnabled(false)
	port := limits.NewConnections(0, o.Log).Port(limits.PortLimits{Connections: maxConnections})
	var running sync.WaitGroup
	panics.Go(&running,
		func() { _ = s.Serve(limits.Listener{Listener: l, Port: port, Log: o.Log}) },
		panics.Logged(o.Log, "Answering probes failed"))
	return l.Addr(), func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		if s.Shutdown(ctx) != nil {
			_ = s.Close()
		}
		running.Wait()
	}, nil
}

func (o *Options) handler() http.Handler {
	probes := handler(o.Ready, o.Unready)
	if o.Metrics == nil {
		return probes
	}
	mux := http.NewServeMux()
	mux.Handle("/", probes)
	mux.Handle("GET /metrics", o.Metrics)
	return mux
}

// Handler returns a handler that answers /healthz, which shows that the process responds, so
// that a supervisor need not restart it, and /readyz.
func Handler(ready func() bool) http.Handler { return handler(ready, "") }

func handler(ready func() bool, unready string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "status", "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ready() {
			answer(w, http.StatusOK, "status", "ready")
		} else {
			answer(w, http.StatusServiceUnavailable, "error",
				cmp.Or(unready, "there is no running or upcoming match"))
		}
	})
	return mux
}

func answer(w http.ResponseWriter, status int, key, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{key: text})
}
