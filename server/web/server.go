// Package web shows matches in browsers, one after another or many at a time: it serves the page, which is embedded,
// an HTTP API that openapi.yaml describes, and a WebSocket of live events. It
// knows events as bytes, and no game.
//
// [Server.Serve] owns all goroutines: those of the HTTP server, one that wakes
// viewers, and two for each viewer, one that reads and one that writes. It waits
// for all of them.
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
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"
)

// DefaultAddress is where a browser on the same machine finds the page.
const DefaultAddress = "127.0.0.1:8080"

// Options say where a server listens, and what it has beside matches.
type Options struct {
	Address    string                  // host and port; an empty host is all interfaces
	Admit      Admit                   // nil: every connection is admitted
	Recordings Recordings              // nil: there are none
	Operates   func(token string) bool // whether a token is an operator's; nil: who is on this machine is one
	// Certificate and Key are files for https; empty: http.
	Certificate, Key string

	Metrics http.Handler // nil: there are none
	Starter []byte       // a bot to begin with, in Python; nil: none
	Analyse Analyse      // nil: recordings are not judged
	Judges  []string     // built-in bots that judge them
	Version string       // of the program
	// More adds what else is served here; its routes must not begin with /api/. It
	// learns how to tell the operator's requests from others. nil: nothing.
	More     func(mux *http.ServeMux, operates func(*http.Request) bool)
	NewGames bool // among that is POST /game/new
	Log      zerolog.Logger
}

// secure is what https takes; nil without a certificate.
func (o *Options) secure() (*tls.Config, error) {
	if o.Certificate == "" && o.Key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
	if err != nil {
		return nil, fmt.Errorf("tls-cert = %q, tls-key = %q: %w", o.Certificate, o.Key, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// Server is one listener, the matches that it shows and all their viewers.
type Server struct {
	opts      Options
	listener  net.Listener
	door      *door
	secure    *tls.Config // nil: http
	http      http.Server
	upgrader  websocket.Upgrader
	hall      hall
	crowd     crowd
	judging   chan struct{} // holds one while a recording is judged
	downloads downloads
	prepared  *preparedCache
	end       context.CancelFunc // of what works for no single request
	seen      chan struct{}      // closed when the first viewer has come
	seenOnce  sync.Once
}

// Bounds on what a request may take. A recording may take longer.
const (
	headerTime  = 5 * time.Second
	requestTime = 10 * time.Second
	answerTime  = 30 * time.Second
	idleTime    = time.Minute
	maxHeader   = 16 << 10
)

// Listen makes a server that is bound to its address; requests are answered as
// soon as Serve runs.
func Listen(o Options) (*Server, error) {
	secure, err := o.secure()
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", o.Address, err)
	}
	s := &Server{
		opts:     o,
		listener: l,
		door:     newDoor(l.Addr()),
		secure:   secure,
		seen:     make(chan struct{}),
		judging:  make(chan struct{}, 1),
		upgrader: newUpgrader(),
	}
	s.crowd.init(&s.hall, o.Log)
	life, end := context.WithCancel(context.Background())
	s.prepared, s.end = newPreparedCache(life, o.Recordings, o.Log), end
	s.http = http.Server{
		Handler:           underWay(s.handler()),
		BaseContext:       contextOf,
		ConnContext:       connContext,
		ConnState:         noteHijack,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(io.Discard, "", 0), // peers' faults; panics are logged by the handler
	}
	return s, nil
}

// sentBuffer bounds what the system keeps of an answer for a client that does not read,
// twice that at the most. It does for 600 kB a second at 100 ms to the other end.
const sentBuffer = 32 << 10

// connContext bounds the system's buffer of a connection. Else each of thousands that do
// not read could hold megabytes.
func connContext(ctx context.Context, conn net.Conn) context.Context {
	ctx = withGuest(ctx, conn)
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if tcp, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = tcp.SetWriteBuffer(sentBuffer)
	}
	return ctx
}

// nearby is how many ports ListenNear tries before it takes any.
const nearby = 20

// ListenNear is Listen that takes another port of the same host, one of the
// next if it can, when that of the address is taken.
func ListenNear(o Options) (*Server, error) {
	s, err := Listen(o)
	host, text, splitErr := net.SplitHostPort(o.Address)
	port, portErr := strconv.Atoi(text)
	if !addressTaken(err) || splitErr != nil || portErr != nil || port == 0 {
		return s, err
	}
	for next := port + 1; addressTaken(err); next++ {
		if next > port+nearby || next > maxPort {
			next = 0
		}
		o.Address = net.JoinHostPort(host, strconv.Itoa(next))
		if s, err = Listen(o); next == 0 {
			break
		}
	}
	return s, err
}

const maxPort = 65_535

// Addr is where the server listens.
func (s *Server) Addr() *net.TCPAddr { return s.listener.Addr().(*net.TCPAddr) }

// URL is the page's address on this machine.
func (s *Server) URL() string { return s.scheme() + local(s.Addr()) + "/" }

func (s *Server) scheme() string {
	if s.secure != nil {
		return "https://"
	}
	return "http://"
}

// Viewers is how many look on.
func (s *Server) Viewers() int { return s.crowd.count() }

// Seen is closed when the first viewer has come.
func (s *Server) Seen() <-chan struct{} { return s.seen }

// Take serves a connection that somebody else has accepted, and whose first bytes
// it reads again. It waits for Serve.
func (s *Server) Take(conn net.Conn) { s.door.take(conn) }

// Close gives up a server that will not be served.
func (s *Server) Close() error {
	s.end()
	_ = s.door.Close()
	return s.listener.Close()
}

// How long viewers have to take what is left for them, and how long requests
// have to be answered, when the server stops.
const grace = time.Second

// guarded lets in whoever may come, in the way that is agreed on.
func (s *Server) guarded(l net.Listener) net.Listener {
	l = entry{l, s.opts.Admit, s.secure == nil, s.opts.Log}
	if s.secure != nil {
		l = tls.NewListener(l, s.secure)
	}
	return l
}

// Serve answers until ctx ends. Then viewers get what is left of the story and
// are told goodbye, and it returns when nobody is left, after little more than a
// second at the most.
func (s *Server) Serve(ctx context.Context) error {
	var own sync.WaitGroup
	own.Go(s.crowd.run)
	failed := make(chan error, 2)
	for _, l := range []net.Listener{s.listener, s.door} {
		own.Go(func() { failed <- s.http.Serve(s.guarded(l)) })
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.end()
	s.crowd.dismiss()
	hard, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if s.http.Shutdown(hard) != nil {
		_ = s.http.Close()
	}
	defer context.AfterFunc(hard, s.crowd.close)()
	s.crowd.wait()
	own.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}
