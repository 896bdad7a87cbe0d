// Package host plays matches with those who connect: it listens, gives each
// connection a session, and runs a match with the clients that log in.
//
// A [Host] keeps one goroutine that accepts and one for each connection;
// [Host.Serve] waits for all of them.
package host

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

// Options say where a host listens and what is played there.
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

// Host plays matches, one after another.
type Host struct {
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

// Open makes a server that is bound to its port: clients can connect, and
// are answered as soon as Serve runs.
func Open(o Options) (*Host, error) {
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
	h := &Host{
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
	h.session.Door = h
	h.enact(m)
	return h, nil
}

// Addr is where the server listens.
func (h *Host) Addr() *net.TCPAddr { return h.listener.Addr().(*net.TCPAddr) }

// Serve plays the match, and those that follow it, and returns when the last is
// over and every connection has been told so and closed: how that one ended.
// When ctx ends first, the match is aborted and the ending's error is the cause.
// When it ends during the farewell, that is cut short. Either takes farewellTime at the
// most.
func (h *Host) Serve(ctx context.Context) match.Ending {
	h.running.Go(h.accept)
	ending := h.play(ctx)
	h.mu.Lock()
	close(h.over)
	h.mu.Unlock()
	_ = h.listener.Close()
	linger := h.session.Linger
	if ending.Err != nil {
		linger = 0
	}
	h.dismiss(ctx, linger)
	return ending
}

// accept takes connections in until the listener is closed.
func (h *Host) accept() {
	const shortest, longest, silence = 5 * time.Millisecond, time.Second, time.Minute
	pause := shortest
	var told time.Time // why a connection cannot be accepted
	for {
		conn, err := h.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as: no more descriptors; some will be free again
			if now := time.Now(); now.Sub(told) > silence {
				told = now
				h.log.Error().Err(err).Msg("Cannot accept connections")
			}
			select {
			case <-time.After(pause):
			case <-h.over:
			}
			pause = min(2*pause, longest)
			continue
		}
		pause = shortest
		h.enterTCP(conn)
	}
}

// serve gives a connection a session, and serves it to its end.
func (h *Host) serve(conn session.Conn, slot *connlimit.Slot) {
	o := h.session
	o.Slot = slot
	one := session.New(conn, o)
	slot.OnEvict(func() { one.Kick(session.ErrTooMany) }, one.Close)
	h.mu.Lock()
	h.sessions[one] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.sessions, one)
	}()
	select {
	case <-h.over:
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
func (h *Host) dismiss(ctx context.Context, linger time.Duration) {
	h.each(func(one *session.Session) {
		one.Kick(match.ErrAborted)
		one.Finish()
	})
	soft := time.AfterFunc(farewellTime, func() {
		h.each(func(one *session.Session) {
			if linger <= farewellTime || !one.Owes() {
				one.Close()
			}
		})
	})
	defer soft.Stop()
	hard := time.AfterFunc(max(linger, farewellTime), func() { h.each((*session.Session).Close) })
	defer hard.Stop()
	defer context.AfterFunc(ctx, func() { hard.Reset(farewellTime) })()
	h.running.Wait()
}

func (h *Host) each(do func(*session.Session)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for one := range h.sessions {
		if p := panics.Catch(func() { do(one) }); p != nil {
			panics.Logged(h.log, "Ending a session failed")(p)
		}
	}
}
