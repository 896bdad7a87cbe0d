// Package host plays matches: any game, in any seats, at any pace, any number at a
// time.
//
// A [Host] owns the port that clients connect to, the page, and what bounds their
// connections. [Host.Start] makes a [Room] from a [Spec], the description of one match:
// the match's recording, its feed for the page, its account and its metrics are attached
// there, and nowhere else. A client that logs in is given a seat by the lobby, which
// knows all rooms.
//
//	h, err := host.Open(host.Options{Port: 4242})
//	...
//	room, err := h.Start(ctx, host.Spec{
//		Game: game, Settings: match.Settings{Players: 4, Turns: 100},
//	})
//	...
//	result := room.Wait()
//	h.Shutdown(ctx)
//
// A host keeps one goroutine that accepts connections, one for each connection, one for
// each room and, if there is a page, those of package web. [Host.Shutdown] waits for all
// of them.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/deflate"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
	"github.com/hexarena/hexarena/server/web"
)

// Options say where a host listens, and what all its matches have in common.
type Options struct {
	Listener net.Listener // where clients connect; nil: Bind and Port say
	Bind     string       // host or address; empty is all interfaces, IPv4 and IPv6
	Port     int          // 0 is any free one
	Yield    bool         // if the port is in use, any free one will do
	NoPort   bool         // no port: all players are in this process, or dialled

	LoginTimeout time.Duration // from a connection to its LOGIN; 0: usualLoginTimeout
	WriteTimeout time.Duration // for a client to read what it is sent; 0: no limit
	Limits       limits.PortLimits
	Connections  *limits.Connections // shared with other ports of the process; nil: one of its own
	Allow        session.Allowances
	// bytes that large messages of all connections may take; 0: session.DefaultBudget
	Buffers int64
	Gate    session.Gate // says who may log in; nil: any client
	// the same for bots whose connections show that they were started here; nil: Gate
	Started session.Gate
	// Hold has clients that find no seat wait, however long, until a room keeps one for them: see
	// [Host.Waiting]. It is called when a client begins or ceases to wait, and must not block; nil:
	// only clients that stay wait.
	Hold func()
	// Arrived is called with the address of each client that is not a browser, and with the reason why
	// it may not log in, nil if it may. Arrived may be nil.
	Arrived func(remote string, refused error)
	Meter   session.Meter // nil: Metrics, if there are any

	// Linger is the time that Shutdown waits for clients that still owe an answer, or have not
	// taken what they were sent; for others farewellTime at the most.
	Linger time.Duration
	// CloseTimeout is the time that other clients have to close their connections; 0: half a second.
	CloseTimeout time.Duration
	// Netorcai has the host do what the program netorcai does where hexarena does better.
	Netorcai bool
	// Ends is called when a match ends by itself, before that is in the log, with the reason why it
	// ended early, nil if it did not. It reports false if the process is already stopping for another
	// reason, which is the one in the log. Ends may be nil.
	Ends func(error) bool

	// StayingBots is the number of started bots that ask to stay go on to run, connected, between
	// matches. A match with a seat of the same label seats such a bot in place of starting one. 0:
	// each match starts its bots.
	StayingBots int

	Recordings *Recordings // nil: matches are not recorded
	Page       *Page       // may be nil
	// without a page, takes connections that speak HTTP; nil: they are kicked
	Web      func(net.Conn)
	Metrics  Metrics         // nil: nothing is counted
	Names    Names           // what clients that log in are called; nil: what they ask for
	Watchers []match.Watcher // of every match that is not private, in addition to its own
	Program  string          // name and version, for recordings
	Random   io.Reader       // the source of the matches' ids; nil means crypto/rand's
	System   seating.System  // where bots are started; nil: this machine

	Log zerolog.Logger
	// Lines bounds the lines that peers cause in the log; nil: no bound. Shutdown closes it.
	Lines  *limits.Log
	beside bool // another host closes Lines
}

// Names decides what players are called, and watches what becomes of them.
type Names interface {
	match.Namer
	match.Watcher
}

// Host plays matches.
type Host struct {
	opts     Options
	log      zerolog.Logger
	listener net.Listener // nil: there is no port
	session  session.Options
	conns    *limits.Port
	contexts *deflate.Contexts // of compressed connections
	lobby    lobby
	bots     *seating.Processes
	page     *web.Server // may be nil
	pageErr  error       // why not
	endPage  func()
	packer   recording.Packer // of all recordings

	accepting sync.Once
	accepted  sync.WaitGroup  // the goroutine that accepts connections
	life      context.Context // ends when no client is let in any more, by end
	end       context.CancelFunc
	running   sync.WaitGroup // sessions, conversations, and what takes them in
	rooms     sync.WaitGroup // matches

	mu          sync.Mutex // guards all below, and the end of life
	sessions    map[*session.Session]struct{}
	failed      bool // the match that ended last did so early
	interrupted bool // clients that stay are to come back
}

// usualLoginTimeout is the default of the settings: clients log in at once.
const usualLoginTimeout = 10 * time.Second

// Open returns a host that is bound to its port and shows its page: clients can connect,
// and are answered as soon as a room is started. The error is a [*PortError] or a
// [*PageError].
func Open(o Options) (*Host, error) {
	if o.Meter == nil {
		o.Meter = session.NoMeter{}
		if o.Metrics != nil {
			o.Meter = o.Metrics
		}
	}
	o.LoginTimeout = cmp.Or(o.LoginTimeout, usualLoginTimeout)
	if o.Connections == nil {
		o.Connections = limits.NewConnections(0, o.Log)
	}
	l, err := o.listen()
	if err != nil {
		return nil, err
	}
	h := &Host{
		opts:     o,
		log:      o.Log,
		listener: l,
		conns:    o.Connections.Port(o.Limits),
		contexts: deflate.NewContexts(),
		endPage:  func() {},
		sessions: map[*session.Session]struct{}{},
	}
	h.life, h.end = context.WithCancel(context.Background())
	h.bots = seating.NewProcesses(h, o.System, o.Bind, o.Port, h.Addr(), o.StayingBots, o.Log)
	h.lobby.init(o.LoginTimeout, h.bots, o.Hold)
	h.session = session.Options{
		Door:         door{lobby: &h.lobby},
		Logic:        h.logic,
		LoginTimeout: o.LoginTimeout,
		Netorcai:     o.Netorcai,
		WriteTimeout: o.WriteTimeout,
		Linger:       o.Linger,
		CloseTimeout: o.CloseTimeout,
		Allow:        o.Allow,
		Buffers:      session.NewBudget(cmp.Or(o.Buffers, session.DefaultBudget), o.Log),
		Gate:         o.Gate,
		Arrived:      o.Arrived,
		Hold:         o.Hold != nil,
		Meter:        o.Meter,
		Log:          o.Log,
		Lines:        o.Lines,
	}
	if err := h.openPage(); err != nil {
		if l != nil {
			_ = l.Close()
		}
		return nil, err
	}
	if o.Hold != nil {
		h.open() // clients may wait before there is a room
	}
	return h, nil
}

// listen binds the port. It returns nil for a host without a port.
func (o *Options) listen() (net.Listener, error) {
	if o.Listener != nil || o.NoPort {
		return o.Listener, nil
	}
	network := "tcp"
	if ip := net.ParseIP(o.Bind); ip.To4() != nil {
		network = "tcp4" // else 0.0.0.0 would mean IPv6 too
	}
	l, err := net.Listen(network, net.JoinHostPort(o.Bind, strconv.Itoa(o.Port)))
	if o.Yield && inUse(err) {
		l, err = net.Listen(network, net.JoinHostPort(o.Bind, "0"))
	}
	if err != nil {
		return nil, &PortError{o.Bind, o.Port, err}
	}
	return l, nil
}

// wsaAddrInUse is what Windows calls EADDRINUSE.
const wsaAddrInUse = syscall.Errno(10048)

// inUse reports whether an error says that another program listens on a port.
func inUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaAddrInUse)
}

// PortError reports why a host could not listen for clients.
type PortError struct {
	Bind string
	Port int
	Err  error
}

// Unwrap returns what the system says.
func (e *PortError) Unwrap() error { return e.Err }

// InUse reports whether another program listens on the port.
func (e *PortError) InUse() bool { return inUse(e.Err) }

func (e *PortError) Error() string {
	return fmt.Sprintf("cannot listen on port %d of %s: %v", e.Port, cmp.Or(e.Bind, "all addresses"),
		e.Err)
}

// Addr returns where the host listens, nil if it has no port.
func (h *Host) Addr() net.Addr {
	if h.listener == nil {
		return nil
	}
	return h.listener.Addr()
}

// Port returns the number of the port that clients connect to, or 0.
func (h *Host) Port() int { return int(netconn.AddrPort(h.Addr()).Port()) }

// BotHost returns the host at which bots on this machine find the port.
func (h *Host) BotHost() string { return h.bots.Host() }

// Waiting returns the clients that wait for a seat, in the order in which they came.
func (h *Host) Waiting() []match.Candidate { return h.lobby.candidates() }

// StopBots stops the bots that go on to run between matches, so that the next match starts them
// again.
func (h *Host) StopBots() { h.bots.StopKept() }

// ErrDraining is why no room can be started any more.
var ErrDraining = errors.New("no more matches are started")

// Drain refuses to start more rooms. It returns the rooms whose matches have started and
// are not over: it is no loss to abort the others.
func (h *Host) Drain() (started []*Room) {
	for _, r := range h.lobby.drain() {
		if r.match.Started() {
			started = append(started, r)
		}
	}
	return started
}

// Interrupt makes Shutdown tell clients that stay that the server was stopped, and not that there
// are no more matches, so that they come back when it is started again.
func (h *Host) Interrupt() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.interrupted = true
}

// Shutdown starts no more rooms, aborts those that have not started, and waits for the
// others. When ctx ends, it aborts these as well. Then it tells all clients to go, and
// returns when every connection is over, the page is closed and no goroutine is left.
// The farewell is cut short when ctx ends, and takes farewellTime at the most after a
// match that ended early.
func (h *Host) Shutdown(ctx context.Context) {
	h.accepting.Do(func() {}) // a host without rooms accepts nothing
	started := h.Drain()
	for _, r := range h.lobby.list() {
		if !slices.Contains(started, r) {
			r.abort(match.ErrAborted)
		}
	}
	unhook := context.AfterFunc(ctx, func() {
		for _, r := range started {
			r.abort(context.Cause(ctx))
		}
	})
	h.rooms.Wait()
	unhook()
	staying := h.lobby.close()
	h.mu.Lock()
	h.end()
	linger := h.opts.Linger
	reason := match.ErrFinished
	if h.failed {
		linger, reason = 0, match.ErrAborted
	}
	farewell := reason
	if h.interrupted {
		farewell = match.ErrAborted
	}
	h.mu.Unlock()
	for _, w := range staying {
		w.seat.Kick(farewell)
	}
	h.bots.Finish(reason)
	if h.listener != nil {
		_ = h.listener.Close()
	}
	h.dismiss(ctx, farewell, linger)
	h.bots.Close(ctx)
	h.endPage()
	if !h.opts.beside {
		h.opts.Lines.Close()
	}
}
