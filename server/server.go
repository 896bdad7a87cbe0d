// Package server is the house that matches are played in: it listens, gives
// each connection a session, and runs a match with those who log in.
//
// A [Server] keeps one goroutine that accepts and one for each connection;
// [Server.Serve] waits for all of them.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/loglimit"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/session"
)

// Options say where a server listens and what is played there.
type Options struct {
	Bind         string        // host or address; empty is all interfaces, IPv4 and IPv6
	Port         int           // 0 is any free one
	LoginTimeout time.Duration // from a connection to its LOGIN
	Limits       connlimit.Limits
	Connections  *connlimit.Limiter // shared with the other ports of the process; nil: one of its own
	WriteTimeout time.Duration      // for a client to read what it is sent; 0: for ever
	Allow        session.Allowances
	Buffers      int64 // bytes that large messages of all connections may take; 0: session.DefaultBudget
	Match        match.Options
	Logic        *session.Logic // the referee, if the rules are to connect; nil: Match.Referee
	Gate         session.Gate   // who may log in; nil: everybody
	// Admit is asked before a client gets a seat, and may give it a key. The error is
	// one of the match's reasons, or one whose text is for the client. It may be nil.
	Admit func(*match.Candidate) error
	Meter session.Meter // nil: nothing is counted
	Log   zerolog.Logger
	Lines *loglimit.Limiter // bounds what peers have written there; nil: nothing does

	// Linger is how long Serve waits after the last match for clients that still owe an
	// answer, or have not taken what they were sent; for others farewellTime at the most.
	Linger time.Duration
	// Netorcai has the server do what the program netorcai does where hexarena does better.
	Netorcai bool

	// Next makes the match to play on the same port when one is over; nil if that
	// was the last. Without it there is one match.
	Next func(*match.Ending) *match.Match
}

// Server plays matches, one after another.
type Server struct {
	listener net.Listener
	stage    atomic.Pointer[stage]
	next     func(*match.Ending) *match.Match
	admit    func(*match.Candidate) error
	session  session.Options
	conns    *connlimit.Port
	log      zerolog.Logger

	draining atomic.Bool // no match is to follow

	over    chan struct{}  // closed when the last match is over
	running sync.WaitGroup // all sessions, and who takes them in

	mu       sync.Mutex // guards sessions, over's closing, and what follows a match
	sessions map[*session.Session]struct{}
}

// farewellTime is how long connections may take to end after the last match, or after an
// abort: netorcai's process is gone 500 ms later at the most.
const farewellTime = 450 * time.Millisecond

// Listen makes a server that is bound to its port: clients can connect, and
// are answered as soon as Serve runs.
func Listen(o Options) (*Server, error) {
	network := "tcp"
	if ip := net.ParseIP(o.Bind); ip.To4() != nil {
		network = "tcp4" // else 0.0.0.0 would mean IPv6 too
	}
	l, err := net.Listen(network, net.JoinHostPort(o.Bind, strconv.Itoa(o.Port)))
	if err != nil {
		return nil, fmt.Errorf("cannot listen on port %d of %s: %w", o.Port, cmp.Or(o.Bind, "all addresses"), err)
	}
	if o.Logic != nil {
		o.Match.Referee = o.Logic
	}
	if o.Meter == nil {
		o.Meter = session.NoMeter{}
	}
	if o.Connections == nil {
		o.Connections = connlimit.New(0, o.Log)
	}
	m := match.New(o.Match)
	if o.Logic != nil {
		o.Logic.Attach(m.Refresh)
	}
	s := &Server{
		listener: l,
		next:     o.Next,
		admit:    o.Admit,
		session: session.Options{
			Codec:        session.NewCodec(),
			Logic:        o.Logic,
			LoginTimeout: o.LoginTimeout,
			Netorcai:     o.Netorcai,
			WriteTimeout: o.WriteTimeout,
			Linger:       o.Linger,
			Allow:        o.Allow,
			Buffers:      session.NewBudget(cmp.Or(o.Buffers, session.DefaultBudget), o.Log),
			Gate:         o.Gate,
			Meter:        o.Meter,
			Log:          o.Log,
			Lines:        o.Lines,
		},
		conns:    o.Connections.Port(o.Limits),
		log:      o.Log,
		over:     make(chan struct{}),
		sessions: map[*session.Session]struct{}{},
	}
	s.session.Door = s
	s.enact(m)
	return s, nil
}

// Addr is where the server listens.
func (s *Server) Addr() *net.TCPAddr { return s.listener.Addr().(*net.TCPAddr) }

// Serve plays the match, and those that follow it, and returns when the last is
// over and every connection has been told so and closed: how that one ended.
// When ctx ends first, the match is aborted and the ending's error is the cause.
// When it ends during the farewell, that is cut short. Either takes farewellTime at the
// most.
func (s *Server) Serve(ctx context.Context) match.Ending {
	s.running.Go(s.accept)
	ending := s.play(ctx)
	s.mu.Lock()
	close(s.over)
	s.mu.Unlock()
	_ = s.listener.Close()
	linger := s.session.Linger
	if ending.Err != nil {
		linger = 0
	}
	s.dismiss(ctx, linger)
	return ending
}

// accept takes connections in until the listener is closed.
func (s *Server) accept() {
	const shortest, longest, silence = 5 * time.Millisecond, time.Second, time.Minute
	pause := shortest
	var told time.Time // why a connection cannot be accepted
	for {
		conn, err := s.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as: no more descriptors; some will be free again
			if now := time.Now(); now.Sub(told) > silence {
				told = now
				s.log.Error().Err(err).Msg("Cannot accept connections")
			}
			select {
			case <-time.After(pause):
			case <-s.over:
			}
			pause = min(2*pause, longest)
			continue
		}
		pause = shortest
		s.enterTCP(conn)
	}
}

// host gives a connection a session, and serves it to its end.
func (s *Server) host(conn session.Conn, slot *connlimit.Slot) {
	o := s.session
	o.Slot = slot
	one := session.New(conn, o)
	slot.OnEvict(func() { one.Kick(session.ErrTooMany) }, one.Close)
	s.mu.Lock()
	s.sessions[one] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, one)
	}()
	select {
	case <-s.over:
		one.Kick(match.ErrAborted)
		one.Finish()
	default:
	}
	one.Serve()
}

// dismiss kicks the clients that have no seat, and waits until every connection has
// ended: when its client has taken all it was sent, or after farewellTime. Clients that
// owe something have linger instead, if that is longer. All connections are closed soon
// after ctx has ended.
func (s *Server) dismiss(ctx context.Context, linger time.Duration) {
	s.each(func(one *session.Session) {
		one.Kick(match.ErrAborted)
		one.Finish()
	})
	soft := time.AfterFunc(farewellTime, func() {
		s.each(func(one *session.Session) {
			if linger <= farewellTime || !one.Owes() {
				one.Close()
			}
		})
	})
	defer soft.Stop()
	hard := time.AfterFunc(max(linger, farewellTime), func() { s.each((*session.Session).Close) })
	defer hard.Stop()
	defer context.AfterFunc(ctx, func() { hard.Reset(farewellTime) })()
	s.running.Wait()
}

func (s *Server) each(do func(*session.Session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.sessions {
		if p := panics.Catch(func() { do(one) }); p != nil {
			panics.Logged(s.log, "Ending a session failed")(p)
		}
	}
}
