// Package web shows matches in browsers. It serves the page, which is embedded, an HTTP API,
// which openapi.yaml describes, and a WebSocket of live events. It treats events as bytes
// and knows no game.
//
// [Server.Serve] owns all goroutines: those of the HTTP server, one that wakes viewers, and
// two per viewer, one that reads and one that writes. It waits for all of them.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/probe"
)

// DefaultAddress is the default address of the page, reachable from this machine only.
const DefaultAddress = "127.0.0.1:8080"

// Options are the settings of a server.
type Options struct {
	Listener   net.Listener        // where browsers connect; nil: Address says
	Address    string              // host and port; an empty host stands for all interfaces
	Hosts      []string            // names of this machine that have a dot and are no addresses
	Proxies    []netip.Prefix      // whose X-Forwarded-For is believed
	Port       *limits.Port        // limits the connections; nil: every connection is admitted
	Refused    func(reason string) // called when a connection is refused; may be nil
	Recordings Recordings          // nil: recordings are off
	// reports whether a token is an operator's; nil: clients need no tokens, and every user on this
	// machine is one
	Operates func(token string) bool
	Draw     Draw // nil: recordings are not drawn
	// deletes a recording for the operator; nil: none can be deleted
	Remove func(name string) error
	PlayOn PlayOn // nil: no matches are played on
	// Certificate and Key are files for HTTPS; if they are empty, the server speaks HTTP.
	Certificate, Key string

	Metrics http.Handler // nil: metrics are off
	// Starter returns a ZIP archive with a simple bot for the game of that name, or for any game if
	// the name is empty, in a language, or in any if it is empty; nil if there is none.
	Starter func(game, language string) []byte
	// Languages returns the languages of a game's starters, as a list for JSON; nil: there are
	// none.
	Languages func(game string) any
	Cup       Cup      // nil: the page shows matches
	Analyse   Analyse  // nil: recordings are not judged
	Judges    []string // built-in bots that judge recordings
	Version   string   // of the program
	// More registers additional routes, which must not begin with /api/. operates reports
	// whether a request is the operator's. More may be nil.
	More     func(mux *http.ServeMux, operates func(*http.Request) bool)
	NewGames bool // More includes POST /game/new
	// Players takes clients in that name no match, and wait for one; nil: those of a match that is
	// shown do.
	Players http.Handler
	Lobby   *Lobby // where those wait, as the list of matches has it; nil: it is not in the list
	Log     zerolog.Logger
}

// secure returns the TLS configuration, or nil without a certificate.
func (o *Options) secure() (*tls.Config, error) {
	if o.Certificate == "" && o.Key == "" {
		return nil, nil
	}
	c, err := loadCertificate(o.Certificate, o.Key, o.Log)
	if err != nil {
		return nil, err
	}
	return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}, nil
}

// Server serves the page at one address, with the matches that it shows and their viewers.
type Server struct {
	opts      Options
	listener  net.Listener
	handoff   *netconn.Handoff
	secure    *tls.Config // nil: HTTP
	http      http.Server
	upgrader  websocket.Upgrader
	matches   matchList
	viewers   viewerSet
	downloads downloads
	recorded  *recordingAPI
	end       context.CancelFunc // ends work that belongs to no single request
	grace     time.Duration      // shutdownTime, or longer in tests
	seen      chan struct{}      // closed when the first viewer has what there is to see
	markSeen  func()             // closes seen; may be called again
	probes    http.Handler       // of /healthz and /readyz
}

// Limits of a request. Downloads may take longer.
const (
	headerTime  = 5 * time.Second
	requestTime = 10 * time.Second
	answerTime  = 30 * time.Second
	idleTime    = time.Minute
	maxHeader   = 16 << 10
)

// Listen returns a server that is bound to its address, or has the listener of the options. It
// answers requests as soon as Serve runs.
func Listen(o Options) (*Server, error) {
	secure, err := o.secure()
	if err != nil {
		return nil, err
	}
	l := o.Listener
	if l == nil {
		if l, err = net.Listen("tcp", o.Address); err != nil {
			return nil, fmt.Errorf("cannot listen on %s: %w", o.Address, err)
		}
	}
	s := &Server{
		opts:     o,
		listener: l,
		handoff:  netconn.NewHandoff(sharedAddr{l.Addr()}),
		secure:   secure,
		seen:     make(chan struct{}),
		grace:    shutdownTime,
		matches:  matchList{first: make(chan struct{})},
		upgrader: newUpgrader(),
	}
	s.markSeen = sync.OnceFunc(func() { close(s.seen) })
	s.viewers.init(&s.matches, o.Log)
	s.probes = probe.Handler(s.Ready)
	life, end := context.WithCancel(context.Background())
	s.recorded, s.end = newRecordingAPI(life, s), end
	s.http = http.Server{
		Handler:           keepDuringRequest(s.handler()),
		BaseContext:       contextOf,
		ConnContext:       connContext,
		ConnState:         yieldWhenIdle,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(io.Discard, "", 0), // only peers' errors; the handler logs panics
	}
	return s, nil
}

// nearby is the number of consecutive ports that ListenNear tries before it takes any free port.
const nearby = 20

// ListenNear is like Listen, but if the port is in use, it uses one of the next ports, or
// any free port, of the same host.
func ListenNear(o Options) (*Server, error) {
	s, err := Listen(o)
	host, text, _ := net.SplitHostPort(o.Address)
	port, _ := strconv.Atoi(text) // 0 on errors
	for i := 1; i <= nearby+1 && port > 0 && addressTaken(err); i++ {
		next := port + i
		if i > nearby || next > maxPort {
			next = 0
		}
		o.Address = net.JoinHostPort(host, strconv.Itoa(next))
		s, err = Listen(o)
	}
	return s, err
}

const maxPort = 65_535

// Addr returns the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL returns the page's address for this machine.
func (s *Server) URL() string { return s.scheme() + local(s.Addr()) + "/" }

func (s *Server) scheme() string {
	if s.secure != nil {
		return "https://"
	}
	return "http://"
}

// Viewers returns the number of viewers.
func (s *Server) Viewers() int { return s.viewers.count() }

// Seen returns a channel that is closed when the first viewer has what there is to see.
func (s *Server) Seen() <-chan struct{} { return s.seen }

// Take serves a connection that was accepted elsewhere, reading it from the first byte. It
// blocks until Serve runs.
func (s *Server) Take(conn net.Conn) { s.handoff.Take(conn) }

// Close closes a server for which Serve is not called.
func (s *Server) Close() error {
	s.end()
	_ = s.handoff.Close()
	return s.listener.Close()
}

// shutdownTime is the time that viewers and requests may take to finish when the server ends.
const shutdownTime = time.Second

// wrap adds the limit on connections and TLS to a listener.
func (s *Server) wrap(l net.Listener) net.Listener {
	l = limits.Listener{Listener: l, Port: s.opts.Port, Refuse: s.refuse, Log: s.opts.Log}
	if s.secure != nil {
		l = tls.NewListener(l, s.secure)
	}
	return l
}

// Serve answers requests until ctx ends. Then viewers get the remaining events and a close
// message, and Serve returns when all connections are closed, after little more than a
// second.
func (s *Server) Serve(ctx context.Context) error {
	var own sync.WaitGroup
	own.Go(s.viewers.run)
	failed := make(chan error, 2)
	for _, l := range []net.Listener{s.listener, s.handoff} {
		own.Go(func() { failed <- s.http.Serve(s.wrap(l)) })
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.end()
	s.viewers.drain()
	hard, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	if s.http.Shutdown(hard) != nil {
		_ = s.http.Close()
	}
	defer context.AfterFunc(hard, s.viewers.close)()
	s.viewers.wait()
	own.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}
